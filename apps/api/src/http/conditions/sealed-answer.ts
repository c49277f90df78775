import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const [KEY_BYTES, NONCE_BYTES, TAG_BYTES] = [32, 12, 16];
/** No JSON text starts with this. */
const PREFIX = 'sealed.v1.';

/** The API key that opens an answer, and the request that the answer belongs to. */
export type Seal = {
  /** The caller's API key, of which the service stores only a digest. */
  readonly apiKey: string;
  /** Identifies the request. An answer that is moved to another request cannot be opened. */
  readonly place: string;
};

/** Encrypts an answer with a key derived from the caller's API key. */
export const sealAnswer = (body: string, seal: Seal): string => {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, sealingKey(seal), nonce);
  const ciphertext = Buffer.concat([cipher.update(body, 'utf8'), cipher.final()]);
  return PREFIX + Buffer.concat([nonce, ciphertext, cipher.getAuthTag()]).toString('base64url');
};

/** Decrypts a stored answer and returns unsealed ones unchanged; `undefined` if it was sealed with another API key. */
export const openAnswer = (kept: string, seal: Seal): string | undefined => {
  if (!kept.startsWith(PREFIX)) return kept;
  const sealed = Buffer.from(kept.slice(PREFIX.length), 'base64url');
  const end = sealed.length - TAG_BYTES;
  const decipher = createDecipheriv(ALGORITHM, sealingKey(seal), sealed.subarray(0, NONCE_BYTES));
  decipher.setAuthTag(sealed.subarray(end));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, end)), decipher.final()]).toString();
  } catch {
    return undefined;
  }
};

const sealingKey = ({ apiKey, place }: Seal): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', apiKey, place, 'palimpsest kept answer', KEY_BYTES));
