import { setTimeout as delay } from 'node:timers/promises';
import type { ProjectionName, RecordedInLog, StoredEvent, Subscriptions } from '@app/ports';
import type { Kysely } from 'kysely';
import type { Projection } from '../projections/projection.js';
import type { ReadTables } from '../rows/read-tables.js';
import type { StreamStop } from './stopped-streams.js';

/** Notifies waiters in this process of written rows, and counts the notifications. */
export class Progress {
  #count = 0;
  readonly #waiting = new Set<() => void>();

  get count(): number {
    return this.#count;
  }

  advance(): void {
    this.#count += 1;
    for (const wake of [...this.#waiting]) wake();
  }

  /** Resolves the next time from now on, or when `signal` aborts, and at the latest after the time. */
  next(milliseconds: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', wake);
        this.#waiting.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, milliseconds);
      signal.addEventListener('abort', wake);
      this.#waiting.add(wake);
    });
  }
}

/** Receives the progress and failures of a projector. */
export type ProjectorObserver = {
  /** Around the writing of events that were read from the log together. */
  readonly around?: <Result>(
    events: readonly RecordedInLog<StoredEvent>[],
    work: () => Promise<Result>,
  ) => Promise<Result>;
  /** They are in the rows of these projections. */
  readonly applied?: (projections: readonly ProjectionName[], events: number) => void;
  /** The rows of a stream stop before an event, until an operator does something about it. */
  readonly stopped?: (stop: StreamStop) => void;
};

/** The dependencies of a projector. */
export type ProjectorParts = {
  readonly db: Kysely<ReadTables>;
  readonly subscriptions: Subscriptions;
  /** All, in the order in which they are applied. */
  readonly projections: readonly Projection[];
  readonly observer: ProjectorObserver;
  readonly progress: Progress;
  readonly onError: (error: unknown) => void;
};

/** Resolves after the time, or at once when `signal` aborts. */
export const pause = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  delay(milliseconds, undefined, { signal }).catch(() => {});
