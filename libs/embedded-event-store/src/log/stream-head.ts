import { readNumber, writeNumber } from './keys.js';

/** Where a stream stands. */
export type StreamHead = {
  /** The stream's number in keys: the position of its first event. */
  readonly number: number;
  /** The revision of its last event, its tombstone left aside; -1 where it has none. */
  readonly last: number;
  /** Deleted for ever. */
  readonly isTombstoned: boolean;
};

export const encodeHead = ({ number, last, isTombstoned }: StreamHead): Buffer => {
  const bytes = Buffer.allocUnsafe(17);
  writeNumber(bytes, number, 0);
  writeNumber(bytes, last + 1, 8); // The number of its events: -1 is none that fits.
  bytes.writeUInt8(isTombstoned ? 1 : 0, 16);
  return bytes;
};

export const decodeHead = (bytes: Buffer): StreamHead => ({
  number: readNumber(bytes, 0),
  last: readNumber(bytes, 8) - 1,
  isTombstoned: bytes[16] === 1,
});

/** The stream that holds the metadata of `stream`. */
export const metadataStreamOf = (stream: string): string => `$$${stream}`;
export const isMetadataStream = (stream: string): boolean => stream.startsWith('$$');
/** The stream that the metadata stream `stream` is about. */
export const describedBy = (stream: string): string => stream.slice(2);
