export {
  BUNDLE_FORM,
  type Bundle,
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
  signedPageText,
  signedText,
} from './bundle/bundle.js';
export {
  CHAIN_START,
  type Chain,
  contentDigest,
  contentSalt,
  hexOfDigest,
  sha256,
  streamSalt,
} from './commitments.js';
export { siblingHashes, siblingRanges } from './inclusion-set.js';
export {
  chainIn,
  claimsOf,
  hashOfLeaf,
  isLeaf,
  isOfSealed,
  leafOfEvent,
  publicText,
  type SealedEvent,
  sealedOf,
} from './leaf.js';
export { formatLogEntry, parseLogEntry } from './log-entries.js';
export { proofsInTiles } from './proofs-in-tiles.js';
export { destroyedIn, isErased, sealingKeysOf } from './verify/erasure.js';
export { verifyPage } from './verify/page.js';
export {
  EXIT_CODES,
  type Report,
  type VerifiedHead,
  witnessText,
  worstOf,
} from './verify/report.js';
export { checkHeads } from './verify/trust.js';
export { type Replayed, verifyBundle } from './verify/verify-bundle.js';
