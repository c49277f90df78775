import { crc32 } from 'node:zlib';
import type { Steps } from '../../steps.js';
import { type Put, TABLES, type Table } from '../engine.js';

/**
 * The changes of one commit in a journal file:
 *
 *   generation, 8 bytes | length of the body, 4 | CRC-32 of the generation and the body, 4 | the body
 *
 * The body has for each change: table, 1 | length of the key, 2 | length of the value, 4 | key | value.
 * A table is its index in `TABLES`; the length `REMOVED` marks a removal.
 */
const GENERATION_BYTES = 8;
const LENGTH_AT = 8;
const CHECKSUM_AT = 12;
const HEAD_BYTES = 16;
const PUT_HEAD_BYTES = 7;
const REMOVED = 2 ** 32 - 1;

/** The generation of an unused file, which is empty or zeroed. */
export const GENERATION_NONE = 0n;

/** `generation`: the use of the journal file (`journal-file.ts`). */
export function* encodeFrame(generation: bigint, puts: readonly Put[]): Steps<Buffer> {
  let length = 0;
  for (const { key, value } of puts) length += PUT_HEAD_BYTES + key.length + (value?.length ?? 0);
  const frame = Buffer.allocUnsafe(HEAD_BYTES + length);
  let at = HEAD_BYTES;
  for (const { table, key, value } of puts) {
    frame[at] = TABLES.indexOf(table);
    frame.writeUInt16BE(key.length, at + 1);
    frame.writeUInt32BE(value?.length ?? REMOVED, at + 3);
    at += PUT_HEAD_BYTES;
    at += key.copy(frame, at);
    if (value) at += value.copy(frame, at);
    yield;
  }
  frame.writeBigUInt64BE(generation, 0);
  frame.writeUInt32BE(length, LENGTH_AT);
  frame.writeUInt32BE(checksumOf(frame), CHECKSUM_AT);
  return frame;
}

/** Returns the frame at `at`; `undefined` if there is none or it is incomplete. */
export const frameAt = (file: Buffer, at: number, generation: bigint): Buffer | undefined => {
  if (generationAt(file, at) !== generation || at + HEAD_BYTES > file.length) return undefined;
  const end = at + HEAD_BYTES + file.readUInt32BE(at + LENGTH_AT);
  if (end > file.length) return undefined;
  const frame = file.subarray(at, end);
  return frame.readUInt32BE(CHECKSUM_AT) === checksumOf(frame) ? frame : undefined;
};

/** Returns the generation in the bytes at `at`, unverified. */
export const generationAt = (file: Buffer, at: number): bigint | undefined =>
  at + GENERATION_BYTES <= file.length ? file.readBigUInt64BE(at) : undefined;

/** Returns the offsets of the changes in `frame`. */
export const placesIn = (frame: Buffer): number[] => {
  const places: number[] = [];
  for (let at = HEAD_BYTES; at < frame.length; at = endOf(frame, at)) places.push(at);
  return places;
};

export const tableAt = (frame: Buffer, place: number): Table => {
  const table = TABLES[frame[place] ?? TABLES.length];
  // The checksum matches, so a newer version wrote it, which the folder's format version should have prevented.
  if (!table) throw new RangeError('the journal contains an unknown table');
  return table;
};

/** Returns the key as latin1 text. */
export const keyTextAt = (frame: Buffer, place: number): string =>
  frame.toString('latin1', place + PUT_HEAD_BYTES, keyEndOf(frame, place));

/** Shares the bytes of `frame`. */
export const putAt = (frame: Buffer, place: number): Put => {
  const table = tableAt(frame, place);
  const keyEnd = keyEndOf(frame, place);
  const key = frame.subarray(place + PUT_HEAD_BYTES, keyEnd);
  return isRemoval(frame, place)
    ? { table, key }
    : { table, key, value: frame.subarray(keyEnd, endOf(frame, place)) };
};

const checksumOf = (frame: Buffer): number =>
  crc32(frame.subarray(HEAD_BYTES), crc32(frame.subarray(0, LENGTH_AT)));

const isRemoval = (frame: Buffer, place: number): boolean => frame.readUInt32BE(place + 3) === REMOVED;
const keyEndOf = (frame: Buffer, place: number): number =>
  place + PUT_HEAD_BYTES + frame.readUInt16BE(place + 1);
const endOf = (frame: Buffer, place: number): number =>
  keyEndOf(frame, place) + (isRemoval(frame, place) ? 0 : frame.readUInt32BE(place + 3));
