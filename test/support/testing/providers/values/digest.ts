import { createHash, createHmac } from 'node:crypto';

export const digestOf = (...parts: readonly string[]): string => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(`${part.length}:`).update(part);
  return hash.digest('base64url');
};

/** Returns a signature that requires `secret`; it covers the length of each part. */
export const sealOf = (secret: string, ...parts: readonly string[]): string => {
  const seal = createHmac('sha256', secret);
  for (const part of parts) seal.update(`${part.length}:`).update(part);
  return seal.digest('base64url');
};
