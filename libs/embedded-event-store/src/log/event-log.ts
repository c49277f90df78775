import { setImmediate as endOfTurn } from 'node:timers/promises';
import { AppError } from '@app/kernel';
import { inSlices, type Steps } from '../steps.js';
import type { Engine, Put } from '../storage/engine.js';
import { decodeLosses, endOfLosses, LOST_KEY } from '../storage/integrity/lost-ranges.js';
import type { Append, AppendOutcome, Deletion } from './appends/append.js';
import { Draft } from './appends/draft.js';
import { LogReader } from './log-reader.js';
import { type ProjectionMode, type ProjectionName, Projections } from './projections/projections.js';
import { Signal } from './signal.js';

type Waiting = {
  readonly decide: (draft: Draft) => Steps<AppendOutcome>;
  readonly settle: (outcome: AppendOutcome) => void;
  readonly fail: (fault: unknown) => void;
};
/** Puts of others that go into the next transaction: checkpoints of persistent subscriptions. */
type WaitingPuts = {
  readonly puts: readonly Put[];
  readonly settle: () => void;
  readonly fail: (fault: unknown) => void;
};

/** One transaction takes at most so much, so that the first of a crowd is not kept waiting by the last. */
const GROUP_BYTES_MAX = 8 * 2 ** 20;
const GROUP_COUNT_MAX = 1_024;

/**
 * The single writer, with group commit: while one transaction goes to disk, the appends that arrive wait, and
 * all of them form the next one. What is allocated (positions, revisions) lives in the draft of the running
 * transaction; what is committed is what the reader sees. Only after the commit is anybody told.
 */
export class EventLog {
  readonly reader: LogReader;
  /** Tells which streams have new events. */
  readonly signal = new Signal();
  readonly projections: Projections;
  readonly #appends: Waiting[] = [];
  readonly #puts: WaitingPuts[] = [];
  #next: number;
  #running: Promise<void> | undefined;
  #closed = false;

  /** `systemProjections`: whether links are written for those projections that are switched on. */
  constructor(
    private readonly engine: Engine,
    { systemProjections = true }: { readonly systemProjections?: boolean } = {},
  ) {
    this.reader = new LogReader(engine);
    this.projections = new Projections(engine, this.reader, systemProjections, () => this.#start());
    const last = this.reader.lastOfAll();
    // Positions whose events are lost are not used again: subscribers may have seen them.
    const lost = endOfLosses(decodeLosses(engine.get('about', LOST_KEY)));
    this.#next = Math.max(last ? last.position + last.record.length : 0, lost);
    if (this.projections.hasWork) this.#start();
  }

  /** The first position that no committed event has. */
  get end(): number {
    return this.#next;
  }

  /**
   * Resolves when the outcome is final and, for an append, on disk.
   *
   * @throws {AppError} `disk-full` or `internal`: nothing of this append was written.
   */
  append(append: Append): Promise<AppendOutcome> {
    return this.#write((draft) => draft.append(append));
  }

  /**
   * Resolves like an append does; `position` is that of the event which says that the stream is deleted.
   *
   * @throws {AppError} as {@link append}.
   */
  delete(deletion: Deletion): Promise<AppendOutcome> {
    return this.#write((draft) => draft.delete(deletion));
  }

  /** Switches a system projection on or off, and resolves when that is on disk. It may begin a while later. */
  switchProjection(name: ProjectionName, mode: ProjectionMode): Promise<void> {
    return new Promise((resolve, reject) => {
      this.projections.switch({ name, mode, done: resolve, failed: reject });
      this.#start();
    });
  }

  /** Writes entries that are no events, in the order of the calls; until the engine closes. Durable when it resolves. */
  put(puts: readonly Put[]): Promise<void> {
    return new Promise((settle, fail) => {
      this.#puts.push({ puts, settle, fail });
      this.#start();
    });
  }

  /** Takes no more appends, and resolves when those it has are finished. */
  async drained(): Promise<void> {
    this.#closed = true;
    await this.#running;
  }

  async close(): Promise<void> {
    await this.drained();
    await this.#running; // Puts that came while the appends were finished.
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
      // What came between the last look at the queues and now has found a writer running, and waits for one.
      if (this.#isAwaited) this.#start();
    });
  }

  async #writeAll(): Promise<void> {
    while (this.#hasWork) {
      await endOfTurn(); // Appends that come in the same turn belong together.
      const isWritten = await this.#writeGroup();
      // What nobody waits for is tried again with the next append, and not at once on a disk that is full.
      if (!isWritten && !this.#isAwaited) return;
    }
  }

  get #hasWork(): boolean {
    return this.#isAwaited || (!this.#closed && this.projections.hasWork);
  }

  /** Whether somebody waits for the next transaction. */
  get #isAwaited(): boolean {
    return this.#appends.length > 0 || this.#puts.length > 0 || this.projections.hasSwitches;
  }

  /** False where nothing could be written. */
  async #writeGroup(): Promise<boolean> {
    const getRevision = (key: Buffer) => this.engine.get('ids', key);
    const draft = new Draft(this.reader, getRevision, this.#next, new Date());
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
    const puts = [...draft.puts, ...projected.puts, ...others.flatMap((other) => other.puts)];
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
    this.#next = draft.next;
    this.reader.committed();
    if (draft.bytes > 0) this.signal.tell(draft.touchedStreams);
  }
}

const stopped = (): AppError => new AppError('event-store-unavailable', 'the event store is shutting down');
