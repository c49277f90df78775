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

/** Limits of an append; a single larger event is sent alone. Servers accept 1 MiB by default. */
const RUN_BYTES_MAX = 512 * 1_024;
const RUN_COUNT_MAX = 500;
/** Limits of the appends in flight. */
const IN_FLIGHT_BYTES_MAX = 4 * 2 ** 20;
const IN_FLIGHT_COUNT_MAX = 256;

/**
 * Writes events to the target in the order of the source. Consecutive events of a stream share an append; appends are
 * pipelined, and the server executes them in order. An event that the server might reject for its size is sent alone,
 * so that no other one overtakes it.
 */
export class TargetWriter {
  #inFlightCount = 0;
  #inFlightBytes = 0;
  #whenOneIsDone: (() => void) | undefined;
  #run: { stream: string; after: bigint; events: RawEvent[]; bytes: number } | undefined;
  #fault: unknown;
  /** The number of gap events written. */
  filled = 0;

  constructor(
    private readonly target: Connection,
    private readonly appender: Appender,
    private readonly heads: Heads,
    private readonly deletions: Deletions,
    private readonly fillGaps: boolean,
  ) {}

  /** @throws {AppError} `copy-incomplete` for a gap, and the errors of {@link Appender.append}. */
  async write(event: RawEvent): Promise<void> {
    if (isTombstone(event)) return this.#bury(event);
    if (this.deletions.isRemade(event)) return this.#leaveToTarget(event);
    const last = await this.#lastOf(event);
    if (event.revision > last + 1n) await this.#fill(event, last);
    else if (event.revision <= last) throw diverged(event);
    this.deletions.write(event);
    await this.#put(event);
    // The next append reopens the stream, which requires a separate append.
    if (describedStream(event) !== undefined && isDeletion(event)) await this.#send();
  }

  /** Resolves when all appends are acknowledged. */
  async finish(): Promise<void> {
    await this.#send();
    while (this.#inFlightCount > 0) await this.#oneDone();
    this.#throwIfFailed();
  }

  /** Waits for the event that the target writes itself, which the next append must follow. */
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
    // A stream without readable events was deleted or truncated: the append itself fails if the revision is wrong.
    const isHidden = end.kind === 'hidden' || (await endOf(this.target, `$$${stream}`)).kind !== 'missing';
    return isHidden ? revision - 1n : -1n;
  }

  async #fill({ stream, revision }: RawEvent, last: bigint): Promise<void> {
    if (!this.fillGaps)
      throw new AppError(
        'copy-incomplete',
        `the source has lost the events ${last + 1n} to ${revision - 1n} of the stream ${stream} (scavenged): ` +
          'use --fill-gaps to write empty events in their place',
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
    `the target has event ${revision} of the stream ${stream} already, out of order`,
  );
