import { createHash, createHmac } from 'node:crypto';
import { base64 } from '@app/tlog';

/** 32 bytes as base64, with padding: a SHA-256, an HMAC-SHA-256, or a salt. */
export type Digest = string;

/** A salt is a key as its base64 text. */
const hmac = (key: Digest | Uint8Array, text: string): Digest =>
  createHmac('sha256', key).update(text).digest('base64');

/** SHA-256 of a text. */
export const sha256 = (text: string): Digest => createHash('sha256').update(text).digest('base64');
/** Returns a digest in hexadecimal. */
export const hexOfDigest = (digest: Digest): string => Buffer.from(digest, 'base64').toString('hex');
/** Returns a digest from hexadecimal, in which blobs are named. */
export const digestOfHex = (hex: string): Digest =>
  base64(Uint8Array.from(hex.match(/../g) ?? [], (two) => Number.parseInt(two, 16)));

/** Returns the salt of a stream's leaves. It opens the leaves of this stream to the readers of a bundle, and no others. */
export const streamSalt = (tenantSecret: Uint8Array, stream: string): Digest =>
  hmac(tenantSecret, `palimpsest/stream-salt/v1\n${stream}`);

/** Returns the name of a stream in leaves. */
export const blindedStream = (salt: Digest, stream: string): Digest => hmac(salt, `stream\n${stream}`);

/**
 * Commitments to a stream up to an event: to the public parts of all events, and to their sealed contents. Apart, so that a reader
 * of all content in clear, who has no sealed form of it, needs one of the second kind for a whole stream.
 */
export type Chain = { readonly open: Digest; readonly sealed: Digest };

/** Stands for a commitment to nothing. */
export const NONE = '-';
export const CHAIN_START: Chain = { open: NONE, sealed: NONE };

/** Returns the commitment to the public part of an event and to those before it. */
export const openCommitment = (salt: Digest, before: Digest, text: string): Digest =>
  hmac(salt, `public\n${before}\n${text}`);

/** Returns the commitment to the sealed contents of an event and to those before it. @param digests their SHA-256. */
export const sealedCommitment = (salt: Digest, before: Digest, digests: readonly Digest[]): Digest =>
  digests.length === 0 ? before : hmac(salt, `sealed\n${before}\n${digests.join('\n')}`);

/** Returns the salt of the digests of all content that a key, or keys together, have sealed. It dies with the key. */
export const contentSalt = (key: Uint8Array): Digest => {
  const known = SALTS.get(key);
  if (known !== undefined) return known;
  const salt = hmac(key, 'palimpsest/content-salt/v1');
  SALTS.set(key, salt);
  return salt;
};
/** Salts of the keys in memory, by the array that holds the key. */
const SALTS = new WeakMap<Uint8Array, Digest>();

/** Returns the digest of content in clear, which is in the public part of its event. */
export const contentDigest = (salt: Digest, eventId: string, text: string): Digest =>
  hmac(salt, `content\n${eventId}\n${text}`);
