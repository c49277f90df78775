import { setImmediate as yieldToLoop } from 'node:timers/promises';
import { AppError } from '@app/kernel';
import { inSlices, type Steps } from '../steps.js';
import type { Engine, Put } from '../storage/engine.js';
import { decodeLosses, endOfLosses, LOST_KEY } from '../storage/integrity/lost-ranges.js';
import type { Append, AppendOutcome, Deletion } from './appends/append.js';
import { Draft } from './appends/draft.js';
import { LogReader } from './log-reader.js';
import { type ProjectionMode, type ProjectionName, Projections } from './projections/projections.js';

type Listener = { readonly stream: string | undefined; readonly wake: () => void };

/** Notifies listeners of new events. Carries no events: a reader continues from its own position. */
class Signal {
  readonly #listeners = new Set<Listener>();

  /** Returns a function that stops listening. `stream`: only events of that stream; `undefined`: all. */
  listen(stream: string | undefined, wake: () => void): () => void {
    const listener = { stream, wake };
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  notify(streams: ReadonlySet<string>): void {
    for (const { stream, wake } of this.#listeners) {
      if (stream === undefined || streams.has(stream)) wake();
    }
  }
}

type Waiting = {
  readonly decide: (draft: Draft) => Steps<AppendOutcome>;
  readonly settle: (outcome: AppendOutcome) => void;
  readonly fail: (fault: unknown) => void;
};
/** Entries of other components for the next transaction: checkpoints of persistent subscriptions. */
type WaitingPuts = {
  readonly puts: readonly Put[];
  readonly settle: () => void;
  readonly fail: (fault: unknown) => void;
};

/** Limits of one transaction, so that its first append does not wait for too many others. */
const GROUP_BYTES_MAX = 8 * 2 ** 20;
const GROUP_COUNT_MAX = 1_024;

/**
 * The single writer, with group commit: appends that arrive during a commit form the next transaction. The draft of
 * the running transaction allocates positions and revisions; readers see committed events only. Callers get their
 * outcome after the commit.
 */
export class EventLog {
  readonly reader: LogReader;
  /** Notifies listeners of streams with new events. */
  readonly signal = new Signal();
  readonly projections: Projections;
  readonly #appends: Waiting[] = [];
  readonly #puts: WaitingPuts[] = [];
  #running: Promise<void> | undefined;
  #closed = false;

  /** `systemProjections`: whether to write links for the running projections. */
  constructor(
    private readonly engine: Engine,
    { systemProjections = true }: { readonly systemProjections?: boolean } = {},
  ) {
    this.reader = new LogReader(engine);
    this.projections = new Projections(engine, this.reader, systemProjections, () => this.#start());
    const last = this.reader.lastOfAll();
    // Positions of lost events are not reused: subscribers may have seen them.
    const lost = endOfLosses(decodeLosses(engine.get('about', LOST_KEY)));
    this.reader.committed(Math.max(last ? last.position + last.record.length : 0, lost));
    if (this.projections.hasWork) this.#start();
  }

  /** The first position after the committed events. */
  get end(): number {
    return this.reader.end;
  }

  /**
   * Resolves when the outcome is final and an accepted append is on disk.
   * @throws {AppError} `disk-full` or `internal`: nothing of this append was written.
   */
  append(append: Append): Promise<AppendOutcome> {
    return this.#write((draft) => draft.append(append));
  }

  /**
   * Deletes a stream. Resolves as {@link append} does; `position` is that of the deletion event.
   * @throws {AppError} as {@link append}.
   */
  delete(deletion: Deletion): Promise<AppendOutcome> {
    return this.#write((draft) => draft.delete(deletion));
  }

  /** Starts or stops a system projection, and resolves when that is on disk. Links may follow later. */
  switchProjection(name: ProjectionName, mode: ProjectionMode): Promise<void> {
    return new Promise((resolve, reject) => {
      this.projections.switch({ name, mode, done: resolve, failed: reject });
      this.#start();
    });
  }

  /** Writes entries that are no events, in the order of the calls. Resolves when they are on disk. */
  put(puts: readonly Put[]): Promise<void> {
    return new Promise((settle, fail) => {
      this.#puts.push({ puts, settle, fail });
      this.#start();
    });
  }

  /** Rejects new appends, and resolves when the pending ones are finished. */
  async drained(): Promise<void> {
    this.#closed = true;
    await this.#running;
  }

  async close(): Promise<void> {
    await this.drained();
    await this.#running; // Entries that arrived during the last appends.
    await this.engine.close();
  }

  #write(decide: (draft: Draft) => Steps<AppendOutcome>): Promise<AppendOutcome> {
    return new Promise((settle, fail) => {
      if (this.#closed) return fail(stopped());
      this.#appends.push({ decide, settle, fail });
      this.#start();
    });
  }

  #start(): void {
    this.#running ??= this.#writeAll().finally(() => {
      this.#running = undefined;
      // An append that arrived after the last check of the queues found a running writer, and needs a new one.
      if (this.#isAwaited) this.#start();
    });
  }

  async #writeAll(): Promise<void> {
    while (this.#hasWork) {
      await yieldToLoop(); // Appends of the same turn share a transaction.
      const isWritten = await this.#writeGroup();
      // Work without a waiting caller is retried with the next append, not at once on a full disk.
      if (!isWritten && !this.#isAwaited) return;
    }
  }

  get #hasWork(): boolean {
    return this.#isAwaited || (!this.#closed && this.projections.hasWork);
  }

  /** Whether a caller waits for the next transaction. */
  get #isAwaited(): boolean {
    return this.#appends.length > 0 || this.#puts.length > 0 || this.projections.hasSwitches;
  }

  /** Returns false if nothing could be written. */
  async #writeGroup(): Promise<boolean> {
    const getRevision = (key: Buffer) => this.engine.get('ids', key);
    const draft = new Draft(this.reader, getRevision, this.end, new Date());
    const projected = this.projections.advance(draft);
    const answers: (() => void)[] = [projected.committed];
    const failures: ((fault: unknown) => void)[] = [projected.failed];
    let taken = 0;
    for (const { decide, settle, fail } of this.#appends) {
      if (taken >= GROUP_COUNT_MAX || draft.bytes >= GROUP_BYTES_MAX) break;
      taken += 1;
      try {
        const outcome = await inSlices(decide(draft));
        answers.push(() => settle(outcome));
        failures.push(fail);
      } catch (fault) {
        fail(fault);
      }
    }
    this.#appends.splice(0, taken);
    await inSlices(draft.project(projected.links));
    const others = this.#puts.splice(0);
    for (const other of others) {
      answers.push(other.settle);
      failures.push(other.fail);
    }
    // The draft's heads come last: with them all of it becomes visible.
    const puts = [...projected.puts, ...others.flatMap((other) => other.puts), ...draft.puts];
    try {
      await this.#commit(draft, puts);
    } catch (fault) {
      for (const fail of failures) fail(fault);
      return false;
    }
    for (const answer of answers) answer();
    return true;
  }

  async #commit(draft: Draft, puts: readonly Put[]): Promise<void> {
    if (puts.length > 0) await this.engine.commit(puts);
    this.reader.committed(draft.next);
    if (draft.bytes > 0) this.signal.notify(draft.touchedStreams);
  }
}

const stopped = (): AppError => new AppError('event-store-unavailable', 'the event store is shutting down');
