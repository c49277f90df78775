import { createHash } from 'node:crypto';
import type { ClientForm, HashedText, OpenSession, PartDigests, RequestParts } from '@app/domain';
import { Slices } from '@app/kernel';

/** Returns a text with its SHA-256, hexadecimal. */
export const hashed = (text: string): HashedText => ({ digest: sha256(text), text });

/** Bytes hashed at a time, in about two milliseconds. */
const STRETCH_BYTES = 1_048_576;

/** Returns the SHA-256 of a text of any length, hexadecimal; yields to the event loop between slices. */
export const sha256InSlices = async (text: string): Promise<string> => {
  if (text.length < STRETCH_BYTES) return sha256(text);
  const [hash, bytes, slices] = [createHash('sha256'), Buffer.from(text), new Slices()];
  for (let at = 0; at < bytes.length; at += STRETCH_BYTES) {
    if (slices.isOver) await slices.next();
    hash.update(bytes.subarray(at, at + STRETCH_BYTES));
  }
  return hash.digest('hex');
};

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Returns the digests of the parts in force; with `client`, also that of the client's data around its history. */
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

/** Separates the parts with a character that cannot occur in JSON. */
const clientDigest = ({ before, separator, after }: ClientForm): string =>
  sha256([before, separator, after].join('\u0000'));
