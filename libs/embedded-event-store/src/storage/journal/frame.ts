import { crc32 } from 'node:zlib';
import { type Put, TABLES } from '../engine.js';

/**
 * The changes of one commit as they stand in a journal file:
 *
 *   generation, 8 bytes | length of the body, 4 | CRC-32 of the generation and the body, 4 | the body
 *
 * and in the body, for each change: table, 1 | length of the key, 2 | length of the value, 4 | key | value.
 * A table is its place in `TABLES`; a value of length `REMOVED` is none.
 */
const GENERATION_BYTES = 8;
const LENGTH_AT = 8;
const CHECKSUM_AT = 12;
const HEAD_BYTES = 16;
const PUT_HEAD_BYTES = 7;
const REMOVED = 2 ** 32 - 1;

/** Before its first use a file holds nothing, or zeros. */
export const GENERATION_NONE = 0n;

export type Frame = { readonly puts: readonly Put[]; readonly end: number };

/** `generation`: which use of the journal file this is (`journal-file.ts`). */
export const encodeFrame = (generation: bigint, puts: readonly Put[]): Buffer => {
  const length = puts.reduce(
    (sum, { key, value }) => sum + PUT_HEAD_BYTES + key.length + (value?.length ?? 0),
    0,
  );
  const frame = Buffer.allocUnsafe(HEAD_BYTES + length);
  let at = HEAD_BYTES;
  for (const { table, key, value } of puts) {
    frame.writeUInt8(TABLES.indexOf(table), at);
    frame.writeUInt16BE(key.length, at + 1);
    frame.writeUInt32BE(value?.length ?? REMOVED, at + 3);
    at += PUT_HEAD_BYTES;
    at += key.copy(frame, at);
    if (value) at += value.copy(frame, at);
  }
  frame.writeBigUInt64BE(generation, 0);
  frame.writeUInt32BE(length, LENGTH_AT);
  frame.writeUInt32BE(checksumOf(frame), CHECKSUM_AT);
  return frame;
};

/** The frame that begins at `at`; `undefined` where there is none, or one that was not written to its end. */
export const decodeFrame = (file: Buffer, at: number, generation: bigint): Frame | undefined => {
  if (at + HEAD_BYTES > file.length || file.readBigUInt64BE(at) !== generation) return undefined;
  const end = at + HEAD_BYTES + file.readUInt32BE(at + LENGTH_AT);
  if (end > file.length) return undefined;
  const frame = file.subarray(at, end);
  return frame.readUInt32BE(CHECKSUM_AT) === checksumOf(frame) ? { puts: putsOf(frame), end } : undefined;
};

/** The generation that the bytes at `at` claim to be of. */
export const generationAt = (file: Buffer, at: number): bigint | undefined =>
  at + GENERATION_BYTES <= file.length ? file.readBigUInt64BE(at) : undefined;

const checksumOf = (frame: Buffer): number =>
  crc32(frame.subarray(HEAD_BYTES), crc32(frame.subarray(0, LENGTH_AT)));

const putsOf = (frame: Buffer): Put[] => {
  const puts: Put[] = [];
  for (let at = HEAD_BYTES; at < frame.length; ) {
    const table = TABLES[frame.readUInt8(at)];
    // The checksum holds, so it is from a later version, which the version of the folder should have kept out.
    if (!table) throw new RangeError('the journal names a table that this version does not know');
    const keyAt = at + PUT_HEAD_BYTES;
    const valueAt = keyAt + frame.readUInt16BE(at + 1);
    const valueLength = frame.readUInt32BE(at + 3);
    const key = frame.subarray(keyAt, valueAt);
    at = valueLength === REMOVED ? valueAt : valueAt + valueLength;
    puts.push(valueLength === REMOVED ? { table, key } : { table, key, value: frame.subarray(valueAt, at) });
  }
  return puts;
};
