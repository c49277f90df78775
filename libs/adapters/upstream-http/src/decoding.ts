import type { IncomingMessage } from 'node:http';
import { pipeline, type Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';

const DECODERS: ReadonlyMap<string, () => Transform> = new Map([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
]);

/** A body, and whether its `content-encoding` is gone. */
export type Decoded = { readonly body: Readable; readonly isPlain: boolean };

/**
 * Returns the body without the compression applied by its server, as a stream. A body in an unknown encoding is
 * unchanged. Damaged bytes end the stream with an error.
 */
export const decodedBody = (answer: IncomingMessage): Decoded => {
  const named = (answer.headers['content-encoding'] ?? '').toLowerCase().split(',');
  const encodings = named.map((one) => one.trim()).filter((one) => one !== '' && one !== 'identity');
  const decoders = encodings.reverse().map((one) => DECODERS.get(one)?.());
  let body: Readable = answer;
  if (decoders.some((one) => one === undefined)) return { body, isPlain: false };
  for (const decoder of decoders) {
    if (!decoder) continue;
    // The target stream reports its error.
    pipeline(body, decoder, () => undefined);
    body = decoder;
  }
  return { body, isPlain: true };
};
