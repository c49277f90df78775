import type { StoredEvent } from '../../log/record.js';

const METADATA = 7;
const LENGTH_DELIMITED = 2;

/** An event's custom metadata, which the head of a record does not point at: few readers look into it. */
export const metadataOf = ({ message }: StoredEvent): Buffer => {
  const walk = { at: 0 };
  while (walk.at < message.length) {
    const tag = varint(message, walk);
    const size = varint(message, walk); // The number itself where the field is one.
    if (tag % 8 !== LENGTH_DELIMITED) continue;
    const start = walk.at;
    walk.at += size;
    if (Math.floor(tag / 8) === METADATA) return message.subarray(start, walk.at);
  }
  return Buffer.alloc(0);
};

const varint = (bytes: Buffer, walk: { at: number }): number => {
  let value = 0;
  for (let factor = 1; ; factor *= 0x80) {
    const byte = bytes[walk.at++] ?? 0;
    value += (byte & 0x7f) * factor;
    if (byte < 0x80) return value;
  }
};
