import { base64, fromBase64, fromDecimal } from './bytes.js';
import type { VerifierKey } from './keys.js';
import { HASH_BYTES, type TreeHead } from './merkle.js';
import { type Note, parseNote, requireText, type VerifiedSignature, verifiedSignatures } from './note.js';
import { malformed, TlogError } from './tlog-error.js';

/** tlog-checkpoint, “Note text”. */
export type Checkpoint = TreeHead & {
  /** Names the log. */
  readonly origin: string;
  /** Lines that the log adds; none is recommended. */
  readonly extensions?: readonly string[];
};

/** Returns the text that is signed. */
export const formatCheckpoint = ({ origin, size, root, extensions = [] }: Checkpoint): string =>
  [origin, String(size), base64(root), ...extensions].map((line) => `${line}\n`).join('');

/** @throws {TlogError} `malformed`. */
export const parseCheckpoint = (text: string): Checkpoint & { readonly extensions: readonly string[] } => {
  requireText('checkpoint', text);
  if (!text.endsWith('\n')) throw malformed('checkpoint', 1, 'its last line does not end');
  const [origin = '', sizeText = '', rootText = '', ...extensions] = text.slice(0, -1).split('\n');
  if (origin === '') throw malformed('checkpoint', 1, 'the origin is empty');
  const size = fromDecimal(sizeText);
  if (size === undefined) throw malformed('checkpoint', 2, 'the size is no decimal number up to 2^53 − 1');
  const root = fromBase64(rootText);
  if (root?.length !== HASH_BYTES) throw malformed('checkpoint', 3, 'the root is no base64 of 32 bytes');
  const empty = extensions.indexOf('');
  if (empty >= 0) throw malformed('checkpoint', empty + 4, 'an extension line is empty');
  return { origin, size, root, extensions };
};

export type OpenedCheckpoint = {
  readonly checkpoint: Checkpoint;
  readonly note: Note;
  /** By keys of the log. */
  readonly verified: readonly VerifiedSignature[];
};

/**
 * Reads a signed checkpoint of a log.
 *
 * @param keys of the log.
 * @throws {TlogError} `malformed`, `bad-signature`; `unknown-key` for another origin, or where no key of the log has signed.
 */
export const openCheckpoint = (
  signed: string,
  origin: string,
  keys: readonly VerifierKey[],
): OpenedCheckpoint => {
  const note = parseNote(signed);
  const checkpoint = parseCheckpoint(note.text);
  if (checkpoint.origin !== origin)
    throw new TlogError('unknown-key', `the checkpoint is of another log than ${origin}`);
  const verified = verifiedSignatures(note, keys);
  if (verified.length === 0)
    throw new TlogError('unknown-key', `no known key of ${origin} has signed the checkpoint`);
  return { checkpoint, note, verified };
};
