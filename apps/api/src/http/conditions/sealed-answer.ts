import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const [KEY_BYTES, NONCE_BYTES, TAG_BYTES] = [32, 12, 16];
/** JSON never begins so. */
const PREFIX = 'sealed.v1.';

/** Who may open an answer, and what it is an answer to. */
export type Seal = {
  /** The key that the caller shows: the service keeps only its digest. */
  readonly apiKey: string;
  /** Bound into the seal: a sealed answer that is moved to another request cannot be opened. */
  readonly place: string;
};

/** An answer that holds text, as it is kept: nobody can read it who does not show the key of its caller. */
export const sealAnswer = (body: string, seal: Seal): string => {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, sealingKey(seal), nonce);
  const ciphertext = Buffer.concat([cipher.update(body, 'utf8'), cipher.final()]);
  return PREFIX + Buffer.concat([nonce, ciphertext, cipher.getAuthTag()]).toString('base64url');
};

/** The answer of a kept body, sealed or not; `undefined` where another key has sealed it. */
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
