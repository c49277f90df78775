import type { ProjectionName } from '@app/ports';
import type { Kysely } from 'kysely';
import { PROJECTIONS } from '../projections/all.js';
import type { ReadTables } from '../rows/read-tables.js';
import { follow } from './follow.js';
import { PROJECTOR_LOCK, withLock } from './lock.js';
import { pause } from './pacing/pause.js';
import type { ProjectorParts } from './parts.js';
import { isOutage, isUnreadable, ProjectionFailure } from './stopping/failures.js';
import { isSkipped } from './stopping/skips.js';
import { passOver, readStops, recordStop, recordUnreadable } from './stopping/stops.js';

/** How often the same event may fail before it is believed that it always will. */
const TRIES = 4;
/** What could not be read is not read the next moment either, unless a content has come back meanwhile. */
const TRIES_OF_UNREADABLE = 2;
const PAUSE_MIN_MS = 50;
const PAUSE_MAX_MS = 10_000;
/** How soon it is seen that somebody wants a stopped projection tried again. */
const LOOK_AGAIN_AFTER_MS = 500;

/**
 * Projects until `signal` aborts, as soon as nobody else does. While the log or the database is away it waits, longer
 * each time; what could be only bad luck is tried again. A projection that fails at the same event again and again stops
 * there, while the others go on: it passes over nothing by itself. It is tried again when an operator has decided about the
 * event, and by the next process that projects, which may be a newer version.
 */
export const runProjector = (parts: ProjectorParts, signal: AbortSignal): Promise<void> =>
  new Run(parts, signal).run();

class Run {
  readonly #stopped = new Set<ProjectionName>();
  #failures = 0;
  #progressAtFailure: number;
  /** What is to be done about it by the one who holds the lock. */
  #verdict: { readonly failure: ProjectionFailure; readonly skipped: boolean } | undefined;

  constructor(
    private readonly parts: ProjectorParts,
    private readonly signal: AbortSignal,
  ) {
    this.#progressAtFailure = parts.progress.count;
  }

  async run(): Promise<void> {
    while (!this.signal.aborted) {
      try {
        await withLock(this.parts.db, PROJECTOR_LOCK, this.signal, (connection) => this.#project(connection));
        this.#failures = 0;
      } catch (error) {
        if (this.signal.aborted) return;
        await this.#failed(error);
      }
    }
  }

  async #project(connection: Kysely<ReadTables>): Promise<void> {
    await this.#carryOut(connection);
    const projections = PROJECTIONS.filter(({ name }) => !this.#stopped.has(name));
    const ended = new AbortController();
    const changed = AbortSignal.any([ended.signal, this.signal]);
    const looking = this.#stopped.size > 0 ? this.#untilWanted(ended, changed) : undefined;
    try {
      if (projections.length === 0) await looking;
      else
        await follow(connection, this.parts, this.signal, {
          projections,
          carefully: this.#failures > 0,
          changed: ended.signal,
        });
    } finally {
      ended.abort();
      await looking;
    }
  }

  async #carryOut(connection: Kysely<ReadTables>): Promise<void> {
    if (!this.#verdict) return;
    const { failure, skipped } = this.#verdict;
    if (!skipped) await recordStop(connection, failure);
    // Asked after the stop was recorded: whoever decides later clears that, and is heard by it.
    if (skipped || (await isSkipped(this.parts.log, failure))) await passOver(connection, 'read', failure);
    else {
      this.#stopped.add(failure.projection);
      this.parts.observer.stopped?.(failure.projection, failure);
    }
    this.#verdict = undefined;
    this.#failures = 0;
  }

  /** Aborts `found` when a stopped projection is wanted again. */
  async #untilWanted(found: AbortController, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await pause(LOOK_AGAIN_AFTER_MS, signal);
      const stops = await readStops(this.parts.db).catch(() => undefined);
      if (!stops || signal.aborted) continue;
      const wanted = [...this.#stopped].filter(
        (name) => !stops.some(({ projection }) => projection === name),
      );
      for (const name of wanted) this.#stopped.delete(name);
      if (wanted.length > 0) found.abort();
    }
  }

  async #failed(error: unknown): Promise<void> {
    const { db, log, progress, onError } = this.parts;
    this.#failures = progress.count > this.#progressAtFailure ? 1 : this.#failures + 1;
    this.#progressAtFailure = progress.count;
    onError(error);
    if (error instanceof ProjectionFailure && error.event) {
      const skipped = await isSkipped(log, error).catch(() => false);
      const tries = isUnreadable(error.cause) ? TRIES_OF_UNREADABLE : TRIES;
      if (skipped || this.#failures >= tries) {
        this.#verdict = { failure: error, skipped };
        return;
      }
    } else if (this.#failures >= TRIES && !isOutage(error) && !(error instanceof ProjectionFailure)) {
      if (!isUnreadable(error)) throw error;
      await recordUnreadable(db, error).catch(onError);
    }
    await pause(Math.min(PAUSE_MIN_MS * 2 ** (this.#failures - 1), PAUSE_MAX_MS), this.signal);
  }
}
