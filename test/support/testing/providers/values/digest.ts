import { createHash, createHmac } from 'node:crypto';

export const digestOf = (...parts: readonly string[]): string => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(`${part.length}:`).update(part);
  return hash.digest('base64url');
};

/** A seal that only the holder of `secret` can make; the length of each part is sealed with it. */
export const sealOf = (secret: string, ...parts: readonly string[]): string => {
  const seal = createHmac('sha256', secret);
  for (const part of parts) seal.update(`${part.length}:`).update(part);
  return seal.digest('base64url');
};
