import { open } from 'node:fs/promises';
import { crc32 } from 'node:zlib';

/** A checksum per MiB of a file. */
export type FileSums = { readonly bytes: number; readonly sums: readonly number[] };

const CHUNK_BYTES = 2 ** 20;

/** Reads the whole file: about a second per GiB. */
export const sumsOf = async (path: string): Promise<FileSums> => {
  const file = await open(path, 'r');
  try {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    const sums: number[] = [];
    for (let bytes = 0; ; ) {
      const { bytesRead } = await file.read(chunk, 0, CHUNK_BYTES, bytes);
      if (bytesRead === 0) return { bytes, sums };
      sums.push(crc32(chunk.subarray(0, bytesRead)));
      bytes += bytesRead;
    }
  } finally {
    await file.close();
  }
};

/** Describes the first difference; `undefined` without one. */
export const differenceOf = (expected: FileSums, found: FileSums): string | undefined => {
  if (found.bytes < expected.bytes) return `is truncated at byte ${found.bytes} of ${expected.bytes}`;
  const at = expected.sums.findIndex((sum, index) => sum !== found.sums[index]);
  if (at >= 0)
    return `has changed since it was closed, between the bytes ${at * CHUNK_BYTES} and ${(at + 1) * CHUNK_BYTES}`;
  return found.bytes > expected.bytes
    ? `has grown since it was closed, from ${expected.bytes} bytes to ${found.bytes}`
    : undefined;
};
