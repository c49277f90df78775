import { createHash } from 'node:crypto';
import { Slices } from '@app/kernel';

/** Bytes hashed without a pause: a few milliseconds. */
const STRETCH_BYTES = 1024 * 1024;

/** SHA-256 of any number of bytes, with a turn for others now and then. */
export const sha256 = async (content: Uint8Array): Promise<Buffer> => {
  const hash = createHash('sha256');
  const slices = new Slices();
  for (let at = 0; at < content.length; at += STRETCH_BYTES) {
    if (slices.isOver) await slices.next();
    hash.update(content.subarray(at, at + STRETCH_BYTES));
  }
  return hash.digest();
};
