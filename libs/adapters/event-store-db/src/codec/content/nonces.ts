import { randomFillSync } from 'node:crypto';

const NONCE_BYTES = 12;
/** Nonces drawn at a time: one draw costs as much as one encryption, whatever its size. */
const DRAWN = 256;

let drawn = Buffer.alloc(0);

/** Returns a random nonce of AES-GCM, 12 bytes that no other call returns. */
export const nextNonce = (): Buffer => {
  if (drawn.length === 0) drawn = randomFillSync(Buffer.alloc(DRAWN * NONCE_BYTES));
  const nonce = drawn.subarray(0, NONCE_BYTES);
  drawn = drawn.subarray(NONCE_BYTES);
  return nonce;
};
