import { base64, fromBase64, fromDecimal } from './bytes.js';
import { type Checkpoint, parseCheckpoint } from './checkpoint.js';
import { cosign, cosignedAt, verifyAny } from './cosignature.js';
import type { SignerKey, VerifierKey } from './keys.js';
import { EMPTY_ROOT, HASH_BYTES, type Hash, isConsistent, type TreeHead } from './merkle.js';
import {
  formatNote,
  formatSignature,
  type Note,
  parseNote,
  parseSignatures,
  type VerifiedSignature,
  verifiedSignatures,
} from './note.js';
import { malformed, TlogError } from './tlog-error.js';

/** The request of a log to a witness (tlog-witness, “add-checkpoint”). */
export type AddCheckpoint = {
  /** Size of the tree that the witness has cosigned last. */
  readonly oldSize: number;
  readonly proof: readonly Hash[];
  readonly note: Note;
};

const PROOF_MAX = 63;

export const formatAddCheckpoint = ({ oldSize, proof, note }: AddCheckpoint): string =>
  `old ${oldSize}\n${proof.map((hash) => `${base64(hash)}\n`).join('')}\n${formatNote(note)}`;

/** @throws {TlogError} `malformed`. */
export const parseAddCheckpoint = (body: string): AddCheckpoint => {
  const end = body.indexOf('\n\n');
  if (end < 0) throw malformed('add-checkpoint', 1, 'no empty line is before the checkpoint');
  const [old = '', ...lines] = body.slice(0, end).split('\n');
  const oldSize = old.startsWith('old ') ? fromDecimal(old.slice(4)) : undefined;
  if (oldSize === undefined) throw malformed('add-checkpoint', 1, 'it is not "old" and a size');
  if (lines.length > PROOF_MAX)
    throw malformed('add-checkpoint', 2, `the proof has more than ${PROOF_MAX} lines`);
  return {
    oldSize,
    proof: lines.map((line, at) => hashIn('add-checkpoint', line, at + 2)),
    note: parseNote(body.slice(end + 2)),
  };
};

/** @throws {TlogError} `malformed` for a line that is no base64 of 32 bytes. */
export const hashIn = (what: string, line: string, number: number): Hash => {
  const hash = fromBase64(line);
  if (hash?.length !== HASH_BYTES) throw malformed(what, number, 'it is no base64 of 32 bytes');
  return hash;
};

/** The answer of a witness: an HTTP status and an optional body. */
export type WitnessAnswer =
  /** To be sent once `cosigned` is stored, in one step with the comparison of the size. */
  | { readonly status: 200; readonly body: string; readonly cosigned: Checkpoint }
  /** The size that the log is to prove from, of type `text/x.tlog.size`. */
  | { readonly status: 409; readonly body: string }
  | { readonly status: 400 | 403 | 404 | 422; readonly problem: string };

export type Witness = {
  readonly keys: readonly SignerKey[];
  /** Keys of a log by its origin; `undefined` for a log that is not witnessed. */
  readonly logKeys: (origin: string) => readonly VerifierKey[] | undefined;
  /** The last cosigned tree of a log; `undefined` before the first one. */
  readonly last: (origin: string) => TreeHead | undefined;
};

/**
 * Decides on a body of `add-checkpoint`, in the order of the specification.
 *
 * @param now seconds since 1970.
 */
export const answerAddCheckpoint = (
  { keys, logKeys, last }: Witness,
  body: string,
  now: number,
): WitnessAnswer => {
  let asked: AddCheckpoint;
  let checkpoint: Checkpoint;
  try {
    asked = parseAddCheckpoint(body);
    checkpoint = parseCheckpoint(asked.note.text);
  } catch (error) {
    if (error instanceof TlogError) return { status: 400, problem: error.message };
    throw error;
  }
  const known = logKeys(checkpoint.origin);
  if (!known) return { status: 404, problem: 'the log is not witnessed here' };
  const problem = signatureProblem(asked.note, known);
  if (problem !== undefined) return { status: 403, problem };
  const { oldSize, proof } = asked;
  if (oldSize > checkpoint.size)
    return { status: 400, problem: 'the old size is above that of the checkpoint' };
  const before = last(checkpoint.origin) ?? { size: 0, root: EMPTY_ROOT };
  if (oldSize !== before.size) return { status: 409, body: `${before.size}\n` };
  if (!isConsistent(before, checkpoint, proof))
    return { status: 422, problem: 'the proof does not lead from the old tree to the new one' };
  const signatures = keys.map((key) => cosign(asked.note.text, key, now));
  return { status: 200, body: signatures.map(formatSignature).join(''), cosigned: checkpoint };
};

const signatureProblem = (note: Note, keys: readonly VerifierKey[]): string | undefined => {
  try {
    return verifiedSignatures(note, keys, verifyAny).length === 0
      ? 'no known key of the log has signed'
      : undefined;
  } catch (error) {
    if (error instanceof TlogError) return error.message;
    throw error;
  }
};

/**
 * Adds the answer of a witness to a checkpoint: one cosignature by each known key. Signatures by other keys are left out.
 *
 * @throws {TlogError} `malformed`, `bad-signature`; `unknown-key` where none with a time is by a known witness.
 */
export const withCosignatures = (
  note: Note,
  body: string,
  witnesses: readonly VerifierKey[],
): Note & { readonly added: readonly VerifiedSignature[] } => {
  const answered: Note = { text: note.text, signatures: parseSignatures(body) };
  const verified = verifiedSignatures(answered, witnesses, verifyAny);
  const timed = new Map(
    verified.flatMap((one) => (cosignedAt(one.bytes) === 0 ? [] : [[one.key, one] as const])),
  );
  const added = [...timed.values()];
  if (added.length === 0) throw new TlogError('unknown-key', 'no cosignature is by a known witness');
  const lines = added.map(({ key: { name, id }, bytes }) => ({ name, id, bytes }));
  return { text: note.text, signatures: [...note.signatures, ...lines], added };
};

/** Returns the signatures of a note by keys of a log; those by other keys are left out. */
export const signedBy = ({ signatures }: Note, keys: readonly VerifierKey[]): Note['signatures'] =>
  signatures.filter(({ name, id }) => keys.some((key) => key.name === name && key.id === id));
