import { base64, fromBase64, joined, utf8 } from './bytes.js';
import { isKeyName, isSignedBytes, type SignerKey, signBytes, type VerifierKey } from './keys.js';
import { malformed, TlogError } from './tlog-error.js';

/** A signature line, whether its key is known or not. */
export type NoteSignature = {
  readonly name: string;
  /** Unsigned, 32 bits. */
  readonly id: number;
  /** Behind the key id. */
  readonly bytes: Uint8Array;
};
export type Note = {
  /** Ends in a newline. */
  readonly text: string;
  readonly signatures: readonly NoteSignature[];
};
/** A signature that verifies. */
export type VerifiedSignature = { readonly key: VerifierKey; readonly bytes: Uint8Array };

/** signed-note, “Format”: verifiers have a limit, of at least 16. */
const SIGNATURES_MAX = 100;
const LINE_START = '— ';

/** @throws {TlogError} `malformed` for control characters, no text, no signature, or a line that is none. */
export const parseNote = (note: string): Note => {
  requireText('note', note);
  const split = note.lastIndexOf('\n\n');
  if (split < 0) throw malformed('note', 1, 'no empty line is before the signatures');
  const text = note.slice(0, split + 1);
  const first = lineOf(note, split + 2);
  return { text, signatures: parseSignatures(note.slice(split + 2), first) };
};

/** @param firstLine of the block in its file, for messages. */
export const parseSignatures = (block: string, firstLine = 1): readonly NoteSignature[] => {
  if (block === '') throw malformed('note', firstLine, 'there is no signature');
  if (!block.endsWith('\n')) throw malformed('note', firstLine, 'the last signature line does not end');
  const lines = block.slice(0, -1).split('\n');
  if (lines.length > SIGNATURES_MAX)
    throw malformed('note', firstLine, `more than ${SIGNATURES_MAX} signatures`);
  return lines.map((line, at) => {
    const [name = '', text = '', ...more] = line.startsWith(LINE_START)
      ? line.slice(LINE_START.length).split(' ')
      : [];
    const bytes = fromBase64(text);
    if (!isKeyName(name) || !bytes || bytes.length < 5 || more.length > 0)
      throw malformed('note', firstLine + at, 'it is no signature line');
    return { name, id: new DataView(bytes.buffer).getUint32(0), bytes: bytes.slice(4) };
  });
};

export const formatSignature = ({ name, id, bytes }: NoteSignature): string => {
  const place = new Uint8Array(4);
  new DataView(place.buffer).setUint32(0, id);
  return `${LINE_START}${name} ${base64(joined(place, bytes))}\n`;
};

export const formatNote = ({ text, signatures }: Note): string =>
  `${text}\n${signatures.map(formatSignature).join('')}`;

/** Signs a text with an Ed25519 key (signed-note, “Ed25519 signatures”). */
export const signText = (text: string, key: SignerKey): NoteSignature => {
  if (key.type !== 'ed25519') throw new TlogError('unknown-key', `${key.name} is a key for cosignatures`);
  if (!text.endsWith('\n')) throw malformed('note', 1, 'its text does not end in a newline');
  return { name: key.name, id: key.id, bytes: signBytes(key, utf8(text)) };
};

/** Verifies a signature of a key; keys for cosignatures sign other bytes than the text. */
export type Verify = (key: VerifierKey, text: string, signature: Uint8Array) => boolean;

export const verifyText: Verify = (key, text, signature) =>
  key.type === 'ed25519' && isSignedBytes(key, utf8(text), signature);

/**
 * Returns the signatures by known keys; others are ignored.
 *
 * @throws {TlogError} `bad-signature` where one by a known key does not verify.
 */
export const verifiedSignatures = (
  { text, signatures }: Note,
  keys: readonly VerifierKey[],
  verify: Verify = verifyText,
): readonly VerifiedSignature[] =>
  signatures.flatMap(({ name, id, bytes }) => {
    const key = keys.find((one) => one.name === name && one.id === id);
    if (!key) return [];
    if (!verify(key, text, bytes))
      throw new TlogError('bad-signature', `the signature of ${name} does not verify`);
    return [{ key, bytes }];
  });

/** @throws {TlogError} as {@link parseNote}; `bad-signature`; `unknown-key` where no key of `keys` has signed. */
export const openNote = (
  note: string,
  keys: readonly VerifierKey[],
): Note & { readonly verified: readonly VerifiedSignature[] } => {
  const parsed = parseNote(note);
  const verified = verifiedSignatures(parsed, keys);
  if (verified.length === 0) throw new TlogError('unknown-key', 'no signature is by a known key');
  return { ...parsed, verified };
};

/** @throws {TlogError} `malformed` for control characters other than newlines, and for half surrogate pairs. */
export const requireText = (what: string, text: string): void => {
  const control = /[^\P{Cc}\n\u007f-\u009f]/u.exec(text);
  if (control) throw malformed(what, lineOf(text, control.index), 'it holds a control character');
  if (!text.isWellFormed()) throw malformed(what, 1, 'it is no Unicode text');
};

const lineOf = (text: string, at: number): number => text.slice(0, at).split('\n').length;
