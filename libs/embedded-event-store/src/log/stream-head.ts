import { readNumber, writeNumber } from './keys.js';

/** Where a stream stands. */
export type StreamHead = {
  /** The stream's number in keys: the position of its first event. */
  readonly number: number;
  /** The revision of its last event. */
  readonly last: number;
};

export const encodeHead = ({ number, last }: StreamHead): Buffer => {
  const bytes = Buffer.allocUnsafe(16);
  writeNumber(bytes, number, 0);
  writeNumber(bytes, last, 8);
  return bytes;
};

export const decodeHead = (bytes: Buffer): StreamHead => ({
  number: readNumber(bytes, 0),
  last: readNumber(bytes, 8),
});

/** The stream that holds the metadata of `stream`. */
export const metadataStreamOf = (stream: string): string => `$$${stream}`;
