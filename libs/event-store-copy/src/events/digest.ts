import { createHash } from 'node:crypto';
import { reopeningText } from './metadata-event.js';
import { isTombstone, type RawEvent } from './raw-event.js';

/** The digest of a log: equal for logs with the same events in the same order. */
export type LogDigest = {
  readonly events: number;
  /** Over all events in log order. */
  readonly all: string;
  /** Over all streams, each in its own order, regardless of the order between streams. */
  readonly streams: string;
};

/** The number of bits of the sum. */
const SUM_BITS = 256;

/** Digests the events of a log one by one, in constant memory. */
export class LogDigester {
  readonly #all = createHash('sha256');
  #streams = 0n;
  #events = 0;

  add(event: RawEvent): void {
    const digest = digestOf(event);
    this.#events += 1;
    this.#all.update(digest);
    // The revision is part of each digest, so that a commutative sum preserves the order within each stream.
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
