import { setImmediate as endOfTurn } from 'node:timers/promises';
import { AppError } from '@app/kernel';
import type { Engine, Put } from '../storage/engine.js';
import type { Append, AppendOutcome } from './appending/append.js';
import { Draft } from './appending/draft.js';
import { LogReader } from './log-reader.js';
import { Signal } from './signal.js';

type Waiting = {
  readonly append: Append;
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
  readonly #appends: Waiting[] = [];
  readonly #puts: WaitingPuts[] = [];
  #next: number;
  #running: Promise<void> | undefined;
  #closed = false;

  constructor(private readonly engine: Engine) {
    this.reader = new LogReader(engine);
    const last = this.reader.lastOfAll();
    this.#next = last ? last.position + last.record.length : 0;
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
    return new Promise((settle, fail) => {
      if (this.#closed) return fail(stopped());
      this.#appends.push({ append, settle, fail });
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

  #start(): void {
    this.#running ??= this.#writeAll().finally(() => {
      this.#running = undefined;
    });
  }

  async #writeAll(): Promise<void> {
    while (this.#appends.length > 0 || this.#puts.length > 0) {
      await endOfTurn(); // Appends that come in the same turn belong together.
      await this.#writeGroup();
    }
  }

  async #writeGroup(): Promise<void> {
    const draft = new Draft(this.reader, (key) => this.engine.get('ids', key), this.#next);
    const answers: (() => void)[] = [];
    const failures: ((fault: unknown) => void)[] = [];
    const now = new Date();
    let taken = 0;
    for (const { append, settle, fail } of this.#appends) {
      if (taken >= GROUP_COUNT_MAX || draft.bytes >= GROUP_BYTES_MAX) break;
      taken += 1;
      try {
        const outcome = draft.add(append, now);
        answers.push(() => settle(outcome));
        failures.push(fail);
      } catch (fault) {
        fail(fault);
      }
    }
    this.#appends.splice(0, taken);
    const others = this.#puts.splice(0);
    for (const other of others) {
      answers.push(other.settle);
      failures.push(other.fail);
    }
    await this.#commit(draft, [...draft.puts, ...others.flatMap(({ puts }) => puts)]).then(
      () => answers.forEach((answer) => void answer()),
      (fault) => failures.forEach((fail) => void fail(fault)),
    );
  }

  async #commit(draft: Draft, puts: readonly Put[]): Promise<void> {
    if (puts.length > 0) await this.engine.commit(puts);
    this.#next = draft.next;
    this.reader.committed();
    if (draft.events.length > 0) this.signal.tell(draft.touchedStreams);
  }
}

const stopped = (): AppError => new AppError('event-store-unavailable', 'the event store is shutting down');
