export { base64, fromBase64 } from './bytes.js';
export {
  type Checkpoint,
  formatCheckpoint,
  type OpenedCheckpoint,
  openCheckpoint,
  parseCheckpoint,
} from './checkpoint.js';
export { cosign, cosignedAt } from './cosignature.js';
export {
  formatInclusionProof,
  type InclusionProofFile,
  parseInclusionProof,
  verifyInclusionProof,
} from './inclusion-proof-file.js';
export {
  formatSignerKey,
  formatVerifierKey,
  parseSignerKey,
  parseVerifierKey,
  type SignatureType,
  type SignerKey,
  signerKey,
  type VerifierKey,
} from './keys.js';
export {
  consistencyProof,
  consistencyRanges,
  EMPTY_ROOT,
  type Hash,
  type HashAt,
  hashesOf,
  inclusionProof,
  inclusionRanges,
  isConsistent,
  isIncluded,
  type LeafRange,
  leafHash,
  nodeHash,
  rangeRoot,
  rootOf,
  type TreeHead,
} from './merkle.js';
export { sha256 } from './native.js';
export {
  formatNote,
  formatSignature,
  type Note,
  type NoteSignature,
  openNote,
  parseNote,
  parseSignatures,
  signText,
  type VerifiedSignature,
} from './note.js';
export {
  type AcceptedCheckpoint,
  acceptedCheckpoint,
  cosignersOf,
  hasQuorum,
  type Policy,
  type PolicyGroup,
  type PolicyWitness,
  parsePolicy,
} from './policy.js';
export {
  decodeBundle,
  decodeTile,
  edgeTiles,
  encodeBundle,
  encodeTile,
  grownTiles,
  type HashTile,
  hashesInTiles,
  parseTilePath,
  TILE_WIDTH,
  type TilePlace,
  tilePath,
  tilesOfRanges,
} from './tiles.js';
export { TLOG_ERROR_CODES, TlogError, type TlogErrorCode } from './tlog-error.js';
export {
  type AddCheckpoint,
  answerAddCheckpoint,
  formatAddCheckpoint,
  parseAddCheckpoint,
  signedBy,
  type Witness,
  type WitnessAnswer,
  withCosignatures,
} from './witness.js';
