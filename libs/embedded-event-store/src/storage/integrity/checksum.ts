import { crc32 } from 'node:zlib';
import { AppError } from '@app/kernel';
import { TABLES, type Table } from '../engine.js';

const CHECKSUM_BYTES = 4;
const seeds = new Map(TABLES.map((table) => [table, crc32(Buffer.from(table))]));

/** Returns `value` followed by a checksum of table, key and value, which also detects swapped entries. */
export const withChecksum = (table: Table, key: Buffer, value: Buffer): Buffer => {
  const sealed = Buffer.allocUnsafe(value.length + CHECKSUM_BYTES);
  value.copy(sealed);
  sealed.writeUInt32BE(checksumOf(table, key, value), value.length);
  return sealed;
};

/** Returns the value without its checksum; `undefined` for a damaged entry. Shares the bytes of `sealed`. */
export const intactValue = (table: Table, key: Buffer, sealed: Buffer): Buffer | undefined => {
  const length = sealed.length - CHECKSUM_BYTES;
  if (length < 0) return undefined;
  const value = sealed.subarray(0, length);
  return sealed.readUInt32BE(length) === checksumOf(table, key, value) ? value : undefined;
};

/** @throws {AppError} `corrupt-event` for a damaged entry. */
export const verifiedValue = (table: Table, key: Buffer, sealed: Buffer): Buffer => {
  const value = intactValue(table, key, sealed);
  if (value) return value;
  throw new AppError(
    'corrupt-event',
    `the entry ${entryName(table, key)} of the event log is damaged: stop the event store and run \`palimpsest eventstore verify\``,
  );
};

/** Returns the entry's name for messages, without stream or user names, which are content. */
export const entryName = (table: Table, key: Buffer): string =>
  table === 'log' && key.length === 8 ? `at position ${key.readBigUInt64BE()}` : `of the table ${table}`;

const checksumOf = (table: Table, key: Buffer, value: Buffer): number =>
  crc32(value, crc32(key, seeds.get(table)));
