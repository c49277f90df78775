import { AppError } from '@app/kernel';
import { NO_STREAM } from '@eventstore/db-client';
import type { Appender } from '../connection/appender.js';
import type { Connection } from '../connection/connection.js';
import { asAppError } from '../connection/failures.js';
import { endOf } from '../connection/read-events.js';
import { gapEvent } from '../events/gap.js';
import { describedStream, isDeletion } from '../events/metadata-event.js';
import { isTombstone, type RawEvent, sizeOf } from '../events/raw-event.js';
import type { Deletions } from './deletions.js';
import type { Heads } from './heads.js';

/** One append has at most so much of a stream; a single event may have more. Servers take 1 MiB. */
const RUN_BYTES_MAX = 512 * 1_024;
const RUN_COUNT_MAX = 500;
/** What is on its way at once, at most. */
const IN_FLIGHT_BYTES_MAX = 4 * 2 ** 20;
const IN_FLIGHT_COUNT_MAX = 256;

/**
 * Writes events to the target in the order of the source. Neighbours in one stream go in one append; appends follow
 * each other without waiting, and the server carries them out in their order. What a server might refuse by itself
 * for its size goes alone, so that nothing can overtake it.
 */
export class TargetWriter {
  #inFlightCount = 0;
  #inFlightBytes = 0;
  #whenOneIsDone: (() => void) | undefined;
  #run: { stream: string; after: bigint; events: RawEvent[]; bytes: number } | undefined;
  #fault: unknown;
  /** Revisions that were filled because the source has lost theirs. */
  filled = 0;

  constructor(
    private readonly target: Connection,
    private readonly appender: Appender,
    private readonly heads: Heads,
    private readonly deletions: Deletions,
    private readonly fillGaps: boolean,
  ) {}

  /** @throws {AppError} `copy-incomplete` for a gap, and what {@link Appender.append} throws. */
  async write(event: RawEvent): Promise<void> {
    if (isTombstone(event)) return this.#bury(event);
    if (this.deletions.isRemade(event)) return this.#leaveToTarget(event);
    const last = await this.#lastOf(event);
    if (event.revision > last + 1n) await this.#fill(event, last);
    else if (event.revision <= last) throw diverged(event);
    this.deletions.write(event);
    await this.#put(event);
    // The next append opens the stream again, and must be an append of its own to do so.
    if (describedStream(event) !== undefined && isDeletion(event)) await this.#send();
  }

  /** Resolves when everything that was written is acknowledged. */
  async finish(): Promise<void> {
    await this.#send();
    while (this.#inFlightCount > 0) await this.#oneDone();
    this.#throwIfFailed();
  }

  /** What follows must be appended behind what the target writes now by itself. */
  async #leaveToTarget({ stream, revision }: RawEvent): Promise<void> {
    this.heads.set(stream, revision);
    await this.#send();
  }

  async #put(event: RawEvent): Promise<void> {
    const size = sizeOf(event);
    const run = this.#run;
    const fits =
      run?.stream === event.stream && run.events.length < RUN_COUNT_MAX && run.bytes + size <= RUN_BYTES_MAX;
    if (!run || !fits) await this.#begin(event);
    else {
      run.events.push(event);
      run.bytes += size;
    }
    this.heads.set(event.stream, event.revision);
    if (size > RUN_BYTES_MAX) await this.finish();
  }

  async #begin(event: RawEvent): Promise<void> {
    if (sizeOf(event) > RUN_BYTES_MAX) await this.finish();
    else await this.#send();
    const { stream, revision } = event;
    this.#run = { stream, after: revision - 1n, events: [event], bytes: sizeOf(event) };
  }

  async #send(): Promise<void> {
    const run = this.#run;
    if (!run) return;
    this.#run = undefined;
    while (this.#inFlightCount >= IN_FLIGHT_COUNT_MAX || this.#inFlightBytes >= IN_FLIGHT_BYTES_MAX)
      await this.#oneDone();
    this.#throwIfFailed();
    this.#inFlightCount += 1;
    this.#inFlightBytes += run.bytes;
    const done = (): void => {
      this.#inFlightCount -= 1;
      this.#inFlightBytes -= run.bytes;
      this.#whenOneIsDone?.();
    };
    this.appender.append(run.stream, run.after, run.events).then(done, (fault: unknown) => {
      this.#fault ??= fault;
      done();
    });
  }

  #oneDone(): Promise<void> {
    return new Promise((resolve) => {
      this.#whenOneIsDone = resolve;
    });
  }

  #throwIfFailed(): void {
    if (this.#fault !== undefined) throw this.#fault;
  }

  async #lastOf({ stream, revision }: RawEvent): Promise<bigint> {
    const known = this.heads.get(stream) ?? (revision === 0n ? -1n : undefined);
    if (known !== undefined) return known;
    const end = await endOf(this.target, stream);
    if (end.kind === 'at') return end.revision;
    // A stream that shows nothing has been deleted or truncated: the append itself will tell whether it fits.
    const isHidden = end.kind === 'hidden' || (await endOf(this.target, `$$${stream}`)).kind !== 'missing';
    return isHidden ? revision - 1n : -1n;
  }

  async #fill({ stream, revision }: RawEvent, last: bigint): Promise<void> {
    if (!this.fillGaps)
      throw new AppError(
        'copy-incomplete',
        `the source has lost the events ${last + 1n} to ${revision - 1n} of the stream ${stream} (scavenged): ` +
          'give --fill-gaps to put empty events in their places',
      );
    for (let gap = last + 1n; gap < revision; gap += 1n) {
      await this.#put(gapEvent(stream, gap));
      this.filled += 1;
    }
  }

  async #bury({ stream }: RawEvent): Promise<void> {
    await this.finish();
    const last = this.heads.get(stream) ?? (await this.#visibleEnd(stream));
    try {
      const expectedRevision = last === undefined ? 'any' : last < 0n ? NO_STREAM : last;
      await this.target.client.tombstoneStream(stream, { expectedRevision });
    } catch (fault) {
      throw asAppError(fault, this.target.name);
    }
  }

  async #visibleEnd(stream: string): Promise<bigint | undefined> {
    const end = await endOf(this.target, stream);
    return end.kind === 'at' ? end.revision : undefined;
  }
}

const diverged = ({ stream, revision }: RawEvent): AppError =>
  new AppError(
    'copy-diverged',
    `the target has an event ${revision} of the stream ${stream} already, out of order`,
  );
