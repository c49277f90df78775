export {
  BUNDLE_FORM,
  type Bundle,
  type BundledContent,
  type BundledEvent,
  blobLine,
  contentLine,
  type InclusionSection,
  type LogSection,
  type Manifest,
  type Receipt,
  receiptLine,
  sectionLine,
  signatureLine,
  signedText,
} from './bundle/bundle.js';
export { readBundle } from './bundle/read-bundle.js';
export { contentDigest, contentSalt, type Digest, hexOfDigest, sha256, streamSalt } from './commitments.js';
export { siblingHashes, siblingRanges } from './inclusion-set.js';
export {
  claimsOf,
  hashOfLeaf,
  isOfSealed,
  leafOfEvent,
  publicText,
  type SealedEvent,
  sealedOf,
} from './leaf.js';
export { formatLogEntry, type LogEntry, parseLogEntry } from './log-entries.js';
export { erasedKeys, isErased, sealingKeysOf } from './verify/erasure.js';
export {
  EXIT_CODES,
  type Fault,
  type Report,
  type VerifiedHead,
} from './verify/report.js';
export { type Replayed, type VerifyOptions, verifyBundle } from './verify/verify-bundle.js';
