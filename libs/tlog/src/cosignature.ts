import { fromUint64, joined, uint64, utf8 } from './bytes.js';
import { type Checkpoint, parseCheckpoint } from './checkpoint.js';
import { isSignedBytes, type SignerKey, signBytes, type VerifierKey } from './keys.js';
import { type NoteSignature, type Verify, verifyText } from './note.js';
import { malformed, TlogError } from './tlog-error.js';

const TIMESTAMP_BYTES = 8;

/**
 * Cosigns the text of a checkpoint (tlog-cosignature): states that at this time it was the largest tree of its log that the
 * cosigner has seen, and consistent with all before.
 *
 * @param time seconds since 1970, above 0.
 * @throws {TlogError} `malformed` for a text that is no checkpoint; `unknown-key` for a key that does not cosign.
 */
export const cosign = (text: string, key: SignerKey, time: number): NoteSignature => {
  if (!Number.isSafeInteger(time) || time <= 0)
    throw malformed('cosignature', 1, `${time} is no time in seconds`);
  parseCheckpoint(text);
  const message = cosignedMessage(key, text, time);
  if (!message) throw new TlogError('unknown-key', `${key.name} is no key for cosignatures`);
  return { name: key.name, id: key.id, bytes: joined(uint64(time), signBytes(key, message)) };
};

/** Returns when a cosignature was made, in seconds since 1970; `undefined` for too few bytes, or a time beyond 2^53 − 1. */
export const cosignedAt = (signature: Uint8Array): number | undefined =>
  signature.length < TIMESTAMP_BYTES ? undefined : fromUint64(signature);

/** Verifies signatures of logs and cosignatures of witnesses alike. */
export const verifyAny: Verify = (key, text, signature) => {
  if (key.type === 'ed25519') return verifyText(key, text, signature);
  const time = cosignedAt(signature);
  const message = time === undefined ? undefined : cosignedMessage(key, text, time);
  return message !== undefined && isSignedBytes(key, message, signature.slice(TIMESTAMP_BYTES));
};

/** `undefined` for a key that does not cosign. */
const cosignedMessage = ({ type, name }: VerifierKey, text: string, time: number): Uint8Array | undefined => {
  if (type === 'ed25519-cosignature') return utf8(`cosignature/v1\ntime ${time}\n${text}`);
  return type === 'ml-dsa-44-cosignature' ? treeMessage(name, parseCheckpoint(text), time) : undefined;
};

const LABEL = utf8('subtree/v1\n\0');

/** tlog-cosignature, “ML-DSA-44 signed message”: of the whole tree, and without the checkpoint's extensions. */
const treeMessage = (name: string, { origin, size, root }: Checkpoint, time: number): Uint8Array =>
  joined(LABEL, prefixed(name), uint64(time), prefixed(origin), uint64(0), uint64(size), root);

/** After its length in one byte. */
const prefixed = (text: string): Uint8Array => {
  const bytes = utf8(text);
  if (bytes.length === 0 || bytes.length > 255)
    throw malformed('cosignature', 1, 'a name is empty or longer than 255 bytes');
  return joined(Uint8Array.of(bytes.length), bytes);
};
