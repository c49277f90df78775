import { createHash, randomBytes } from 'node:crypto';

/** Of AES-256. */
const KEY_BYTES = 32;

/** A key with the id by which sealed secrets name it: the id tells nothing of the key. */
export type SecretKey = { readonly id: string; readonly bytes: Buffer };

/** A key as it stands in a file: 32 random bytes as base64. */
export const newSecretKey = (): string => randomBytes(KEY_BYTES).toString('base64');

/**
 * The keys of a text: one a line, or with commas between them, the one that seals first; lines that begin with `#` are
 * for people. `undefined` where one is no key, or there is none.
 */
export const readSecretKeys = (text: string): readonly SecretKey[] | undefined => {
  const written = text
    .split('\n')
    .filter((line) => !line.trimStart().startsWith('#'))
    .flatMap((line) => line.split(','))
    .map((part) => part.trim())
    .filter((part) => part !== '');
  const keys = written.map(keyOf);
  return keys.length > 0 && keys.every((key) => key !== undefined) ? keys : undefined;
};

const keyOf = (written: string): SecretKey | undefined => {
  if (!/^[A-Za-z0-9+/]{43}=$/.test(written)) return undefined;
  const bytes = Buffer.from(written, 'base64');
  const id = createHash('sha256').update('palimpsest secrets key\n').update(bytes).digest('hex').slice(0, 12);
  return { id, bytes };
};
