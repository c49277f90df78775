import { createHash, randomBytes } from 'node:crypto';

/** Bytes of a key of AES-256. */
const KEY_BYTES = 32;

/** A key with the id that sealed secrets carry; the id reveals nothing about the key. */
export type SecretKey = { readonly id: string; readonly bytes: Buffer };

/** Returns a key in file format: 32 random bytes as base64. */
export const newSecretKey = (): string => randomBytes(KEY_BYTES).toString('base64');

/**
 * Parses keys from a text: one per line or separated by commas, the sealing key first; lines with `#` are comments.
 * `undefined` if one is invalid or there is none.
 */
export const readSecretKeys = (text: string): readonly SecretKey[] | undefined => {
  const keys = writtenIn(text).map(keyOf);
  return keys.length > 0 && keys.every((key) => key !== undefined) ? keys : undefined;
};

/** Replaces keys in a text that a key store has encrypted by the keys themselves. */
export const unwrapKeys = async (
  text: string,
  unwrap: (written: string) => Promise<string>,
): Promise<string> => (await Promise.all(writtenIn(text).map(unwrap))).join('\n');

const writtenIn = (text: string): readonly string[] =>
  text
    .split('\n')
    .filter((line) => !line.trimStart().startsWith('#'))
    .flatMap((line) => line.split(','))
    .map((part) => part.trim())
    .filter((part) => part !== '');

const keyOf = (written: string): SecretKey | undefined => {
  if (!/^[A-Za-z0-9+/]{43}=$/.test(written)) return undefined;
  const bytes = Buffer.from(written, 'base64');
  const id = createHash('sha256').update('palimpsest secrets key\n').update(bytes).digest('hex').slice(0, 12);
  return { id, bytes };
};
