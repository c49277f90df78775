import { base64, fromBase64, fromDecimal } from './bytes.js';
import { type Hash, isIncluded } from './merkle.js';
import { formatNote, type Note, parseNote } from './note.js';
import { type AcceptedCheckpoint, acceptedCheckpoint, type Policy } from './policy.js';
import { malformed, TlogError } from './tlog-error.js';
import { hashIn } from './witness.js';

/** A proof that verifies without a network (tlog-proof): that an entry is in a log, and who has witnessed that. */
export type InclusionProofFile = {
  readonly index: number;
  /** From the leaf's sibling up. */
  readonly proof: readonly Hash[];
  /** The signed checkpoint. */
  readonly note: Note;
  /** Data of the application; not covered by any signature. */
  readonly extra?: Uint8Array;
};

const HEADER = 'c2sp.org/tlog-proof@v1';
const EXTRA = 'extra ';
const INDEX = 'index ';
const PROOF_MAX = 63;

export const formatInclusionProof = ({ index, proof, note, extra }: InclusionProofFile): string =>
  [
    HEADER,
    ...(extra ? [`${EXTRA}${base64(extra)}`] : []),
    `${INDEX}${index}`,
    ...proof.map(base64),
    '',
    formatNote(note),
  ].join('\n');

/** @throws {TlogError} `malformed`, with the line. */
export const parseInclusionProof = (file: string): InclusionProofFile => {
  const end = file.indexOf('\n\n');
  const lines = file.slice(0, Math.max(0, end)).split('\n');
  if (lines[0] !== HEADER) throw malformed('proof', 1, `it is not ${HEADER}`);
  const extraLine = lines[1]?.startsWith(EXTRA) ? lines[1].slice(EXTRA.length) : undefined;
  const extra = extraLine === undefined ? undefined : fromBase64(extraLine);
  if (extraLine !== undefined && !extra) throw malformed('proof', 2, 'the extra data are no base64');
  const at = extraLine === undefined ? 1 : 2;
  const index = lines[at]?.startsWith(INDEX) ? fromDecimal(lines[at].slice(INDEX.length)) : undefined;
  if (index === undefined) throw malformed('proof', at + 1, 'it is not "index" and a number');
  const hashes = lines.slice(at + 1);
  if (hashes.length > PROOF_MAX)
    throw malformed('proof', at + 2, `the proof has more than ${PROOF_MAX} hashes`);
  return {
    index,
    proof: hashes.map((line, place) => hashIn('proof', line, at + 2 + place)),
    note: parseNote(file.slice(end + 2)),
    ...(extra && { extra }),
  };
};

/**
 * Verifies that a leaf is in a log that the policy trusts (tlog-proof, “Verifying a tlog proof”).
 *
 * @throws {TlogError} as {@link acceptedCheckpoint}; `bad-proof`.
 */
export const verifyInclusionProof = (
  { index, proof, note }: InclusionProofFile,
  leaf: Hash,
  policy: Policy,
): AcceptedCheckpoint => {
  const accepted = acceptedCheckpoint(note, policy);
  const { size, root } = accepted.checkpoint;
  if (!isIncluded({ leaf, index, size, root }, proof))
    throw new TlogError(
      'bad-proof',
      `the proof does not lead from entry ${index} to the root of the checkpoint`,
    );
  return accepted;
};
