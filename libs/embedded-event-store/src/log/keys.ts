import { createHash } from 'node:crypto';

/**
 * Keys of the tables. Numbers are 8 bytes, big-endian, so that the order of bytes is the order of numbers.
 *
 * | table     | key                      | value                                            |
 * | --------- | ------------------------ | ------------------------------------------------ |
 * | log       | position                 | the record (`record.ts`)                          |
 * | revisions | stream number, revision  | position                                         |
 * | ids       | event id, stream number  | revision, the latest one of a repeated id          |
 * | heads     | stream name, `streamKey` | stream number, event count, tombstone flag      |
 * | groups    | group key                | a persistent subscription (`persistent/`)        |
 * | projections | name                   | mode and checkpoint                              |
 * | users     | login name               | a user (`security/users/`)                       |
 * | about     | name                     | the version of this format                       |
 *
 * A stream's number is the position of its first event: unique, without a counter of its own.
 * Positions are byte offsets as in EventStoreDB: ascending, with gaps. They stay below 2^53 (nine petabytes),
 * and are plain numbers here; on the wire they are 64-bit integers.
 */
const NUMBER_BYTES = 8;
const ID_BYTES = 16;

/** The largest position or revision of this store. */
export const NUMBER_MAX = Number.MAX_SAFE_INTEGER;

/** LMDB limits keys to 1,978 bytes. Longer names are cut, and followed by a hash of the whole name. */
const WHOLE_NAME_BYTES_MAX = 1_900;

/** Returns the key of a stream in the table `heads`, for names of any length: `$et-` precedes any event type. */
export const streamKey = (name: string): Buffer => {
  const bytes = Buffer.from(name);
  if (bytes.length <= WHOLE_NAME_BYTES_MAX) return bytes;
  const digest = createHash('sha256').update(bytes).digest();
  return Buffer.concat([bytes.subarray(0, WHOLE_NAME_BYTES_MAX), digest]);
};

/** The maximum length of a stream name in appends and deletions. Streams of links may have longer names. */
export const STREAM_NAME_BYTES_MAX = 1_500;

export const numberKey = (...numbers: readonly number[]): Buffer => {
  const key = Buffer.allocUnsafe(numbers.length * NUMBER_BYTES);
  numbers.forEach((number, index) => {
    writeNumber(key, number, index * NUMBER_BYTES);
  });
  return key;
};

export const readNumber = (bytes: Buffer, offset = 0): number =>
  bytes.readUInt32BE(offset) * 2 ** 32 + bytes.readUInt32BE(offset + 4);

export const writeNumber = (bytes: Buffer, number: number, offset: number): void => {
  bytes.writeUInt32BE(Math.floor(number / 2 ** 32), offset);
  bytes.writeUInt32BE(number % 2 ** 32, offset + 4);
};

/** `id` must be in its dashed form. */
export const idKey = (id: string, streamNumber: number): Buffer => {
  const key = Buffer.allocUnsafe(ID_BYTES + NUMBER_BYTES);
  key.write(id.replaceAll('-', ''), 0, ID_BYTES, 'hex');
  writeNumber(key, streamNumber, ID_BYTES);
  return key;
};
