import * as fs from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { FileSums } from './file-sums.js';

export const MARK_FILE = 'log-end';

/** A journal file in use: its generation, and the end of its acknowledged frames. */
export type LiveJournal = { readonly generation: bigint; readonly end: number };

/** The state that the next start must find in the data folder. */
export type LogEnd = {
  /** The log's id, which distinguishes files of different logs. 32 hex digits. */
  readonly logId: string;
  /** The database was closed gracefully, and this file contains its checksums. */
  readonly isClosed: boolean;
  /** The first position after the acknowledged events. */
  readonly position: number;
  /** The highest journal generation whose content is in the database. */
  readonly moved: bigint;
  /** Journal files with content that the database lacks, older one first. */
  readonly live: readonly LiveJournal[];
};

/*
 * Two slots of the same form, written alternately, so that one of them is intact after a crash; then the checksums.
 *
 *   magic, 4 | sequence, 8 | log id, 16 | closed, 1 | position, 8 | moved, 8 | number of live files, 1 |
 *   two times generation, 8, and end, 8 | CRC-32, 4
 */
const MAGIC = 0x50_4c_45_31;
const SLOT_BYTES = 128;
const CHECKSUM_AT = 78;
const SUMS_AT = 2 * SLOT_BYTES;
const OWNER_ONLY = 0o600;

/**
 * The file `log-end`: the end of the log. Separate from journal and database, so that the next start detects a
 * missing, truncated or outdated one of them.
 *
 * A commit updates the mark after its own sync, without another one: the mark never promises more than is on disk. It
 * is exact after a crash of the process; after a power cut it may be a few seconds old, which weakens the check but
 * raises no false alarm.
 */
export class LogMark {
  #sequence: bigint;
  #end: LogEnd | undefined;

  private constructor(
    private readonly descriptor: number,
    newest: Slot | undefined,
  ) {
    this.#sequence = newest?.sequence ?? 0n;
    this.#end = newest?.end;
  }

  static open(folder: string): LogMark {
    const { O_RDWR, O_CREAT } = fs.constants;
    const descriptor = fs.openSync(join(folder, MARK_FILE), O_RDWR | O_CREAT, OWNER_ONLY);
    const slots = [0, 1].flatMap((index) => readSlot(descriptor, index) ?? []);
    return new LogMark(descriptor, slots.sort((a, b) => (a.sequence < b.sequence ? -1 : 1)).at(-1));
  }

  /** `undefined` if the file is new, empty or damaged. */
  get end(): LogEnd | undefined {
    return this.#end;
  }

  /** The number of writes over all starts. */
  get sequence(): bigint {
    return this.#sequence;
  }

  /** Writes `end` without a sync; takes about two microseconds. */
  write(end: LogEnd): void {
    this.#sequence += 1n;
    this.#end = end;
    const at = Number(this.#sequence % 2n) * SLOT_BYTES;
    fs.writeSync(this.descriptor, encodeSlot({ sequence: this.#sequence, end }), 0, SLOT_BYTES, at);
  }

  /** Writes `end`, and returns when it is on disk. */
  writeSynced(end: LogEnd): void {
    this.write(end);
    fs.fdatasyncSync(this.descriptor);
  }

  /** Returns the checksums of the closed database; `undefined` if missing or damaged. */
  readSums(): FileSums | undefined {
    const bytes = Buffer.alloc(Math.max(0, fs.fstatSync(this.descriptor).size - SUMS_AT));
    fs.readSync(this.descriptor, bytes, 0, bytes.length, SUMS_AT);
    if (bytes.length < 16) return undefined;
    const end = 12 + bytes.readUInt32BE(8) * 4;
    if (end + 4 > bytes.length || bytes.readUInt32BE(end) !== crc32(bytes.subarray(0, end))) return undefined;
    const sums = Array.from({ length: bytes.readUInt32BE(8) }, (_, index) =>
      bytes.readUInt32BE(12 + index * 4),
    );
    return { bytes: Number(bytes.readBigUInt64BE(0)), sums };
  }

  writeSums({ bytes: fileBytes, sums }: FileSums): void {
    const bytes = Buffer.alloc(16 + sums.length * 4);
    bytes.writeBigUInt64BE(BigInt(fileBytes), 0);
    bytes.writeUInt32BE(sums.length, 8);
    sums.forEach((sum, index) => {
      bytes.writeUInt32BE(sum, 12 + index * 4);
    });
    bytes.writeUInt32BE(crc32(bytes.subarray(0, -4)), bytes.length - 4);
    fs.writeSync(this.descriptor, bytes, 0, bytes.length, SUMS_AT);
  }

  close(): void {
    fs.closeSync(this.descriptor);
  }
}

type Slot = { readonly sequence: bigint; readonly end: LogEnd };

const encodeSlot = ({ sequence, end }: Slot): Buffer => {
  const bytes = Buffer.alloc(SLOT_BYTES);
  bytes.writeUInt32BE(MAGIC, 0);
  bytes.writeBigUInt64BE(sequence, 4);
  bytes.write(end.logId, 12, 16, 'hex');
  bytes.writeUInt8(end.isClosed ? 1 : 0, 28);
  bytes.writeBigUInt64BE(BigInt(end.position), 29);
  bytes.writeBigUInt64BE(end.moved, 37);
  bytes.writeUInt8(end.live.length, 45);
  end.live.forEach(({ generation, end: bytesUsed }, index) => {
    bytes.writeBigUInt64BE(generation, 46 + index * 16);
    bytes.writeBigUInt64BE(BigInt(bytesUsed), 54 + index * 16);
  });
  bytes.writeUInt32BE(crc32(bytes.subarray(0, CHECKSUM_AT)), CHECKSUM_AT);
  return bytes;
};

const readSlot = (descriptor: number, index: number): Slot | undefined => {
  const bytes = Buffer.alloc(SLOT_BYTES);
  fs.readSync(descriptor, bytes, 0, SLOT_BYTES, index * SLOT_BYTES);
  const isWhole = bytes.readUInt32BE(CHECKSUM_AT) === crc32(bytes.subarray(0, CHECKSUM_AT));
  if (!isWhole || bytes.readUInt32BE(0) !== MAGIC) return undefined;
  const live = Array.from({ length: bytes.readUInt8(45) }, (_, at) => ({
    generation: bytes.readBigUInt64BE(46 + at * 16),
    end: Number(bytes.readBigUInt64BE(54 + at * 16)),
  }));
  const end: LogEnd = {
    logId: bytes.toString('hex', 12, 28),
    isClosed: bytes.readUInt8(28) === 1,
    position: Number(bytes.readBigUInt64BE(29)),
    moved: bytes.readBigUInt64BE(37),
    live,
  };
  return { sequence: bytes.readBigUInt64BE(4), end };
};
