import { createHash } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';

/** What is hashed in one go: some ten milliseconds in which nothing else is served. */
const STRETCH_BYTES = 8 * 1024 * 1024;

/** SHA-256 of any number of bytes, with a turn for others now and then. */
export const sha256 = async (content: Uint8Array): Promise<Buffer> => {
  const hash = createHash('sha256');
  for (let at = 0; at < content.length; at += STRETCH_BYTES) {
    if (at > 0) await turn();
    hash.update(content.subarray(at, at + STRETCH_BYTES));
  }
  return hash.digest();
};
