import { readNumber, writeNumber } from './keys.js';

/** The head of a stream. */
export type StreamHead = {
  /** The stream's number in keys: the position of its first event. */
  readonly number: number;
  /** The revision of the last event before any tombstone; -1 without events. */
  readonly last: number;
  /** Has a tombstone. */
  readonly isTombstoned: boolean;
};

export const encodeHead = ({ number, last, isTombstoned }: StreamHead): Buffer => {
  const bytes = Buffer.allocUnsafe(17);
  writeNumber(bytes, number, 0);
  writeNumber(bytes, last + 1, 8); // The event count, since -1 cannot be encoded.
  bytes.writeUInt8(isTombstoned ? 1 : 0, 16);
  return bytes;
};

export const decodeHead = (bytes: Buffer): StreamHead => ({
  number: readNumber(bytes, 0),
  last: readNumber(bytes, 8) - 1,
  isTombstoned: bytes[16] === 1,
});

/** Returns the metadata stream of `stream`. */
export const metadataStreamOf = (stream: string): string => `$$${stream}`;
export const isMetadataStream = (stream: string): boolean => stream.startsWith('$$');
/** Returns the stream that the metadata stream `stream` describes. */
export const describedBy = (stream: string): string => stream.slice(2);
