import { createHash } from 'node:crypto';
import type { ClientForm, HashedText, OpenSession, PartDigests, RequestParts } from '@app/domain';

/** Returns a text with its SHA-256, hexadecimal. */
export const hashed = (text: string): HashedText => ({ digest: sha256(text), text });

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Returns the digests of the parts that are in force; with `client`, that of what the client sent around its history. */
export const partDigests = (
  { parts }: OpenSession,
  given: RequestParts['contributions'],
  client?: ClientForm,
): PartDigests => ({
  systemPrompt: sha256(parts.systemPrompt),
  tools: sha256(JSON.stringify(parts.tools)),
  ...(given.length > 0 && { contributions: contributionsDigest(given) }),
  ...(client && { client: clientDigest(client) }),
});

export const contributionsDigest = (given: RequestParts['contributions']): string =>
  sha256(JSON.stringify(given));

/** A character between two parts that neither of them holds: both are JSON. */
const clientDigest = ({ before, separator, after }: ClientForm): string =>
  sha256([before, separator, after].join('\u0000'));
