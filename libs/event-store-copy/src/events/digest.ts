import { createHash } from 'node:crypto';
import { reopeningText } from './metadata-event.js';
import { isTombstone, type RawEvent } from './raw-event.js';

/** What a log comes to: two logs with the same have the same events in the same order. */
export type LogDigest = {
  readonly events: number;
  /** Of all events in the order of the log. */
  readonly all: string;
  /** Of all streams, each in its own order, whatever the order between them. */
  readonly streams: string;
};

/** Sums are kept to so many bits. */
const SUM_BITS = 256;

/** Takes the events of a log in, one by one, and holds none of them. */
export class LogDigester {
  readonly #all = createHash('sha256');
  #streams = 0n;
  #events = 0;

  add(event: RawEvent): void {
    const digest = digestOf(event);
    this.#events += 1;
    this.#all.update(digest);
    // The place in the stream is part of each digest, so that a sum that knows no order keeps that of each stream.
    this.#streams = BigInt.asUintN(SUM_BITS, this.#streams + BigInt(`0x${digest.toString('hex')}`));
  }

  finish(): LogDigest {
    const streams = this.#streams.toString(16).padStart(SUM_BITS / 4, '0');
    return { events: this.#events, all: this.#all.digest('hex'), streams };
  }
}

const digestOf = (event: RawEvent): Buffer => {
  const hash = createHash('sha256');
  for (const part of partsOf(event)) {
    const bytes = typeof part === 'string' ? Buffer.from(part) : part;
    const length = Buffer.alloc(4);
    length.writeUInt32BE(bytes.length);
    hash.update(length).update(bytes);
  }
  return hash.digest();
};

const partsOf = (event: RawEvent): readonly (string | Uint8Array)[] => {
  const { stream, type, revision, id, contentType, metadata, data } = event;
  if (isTombstone(event)) return [stream, type];
  const reopening = reopeningText(event);
  if (reopening !== undefined) return [stream, type, String(revision), reopening];
  return [stream, type, String(revision), id, contentType, metadata, data];
};
