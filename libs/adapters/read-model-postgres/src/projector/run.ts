import { unlessAborted } from '@app/kernel';
import type { Kysely } from 'kysely';
import type { ReadTables } from '../rows/read-tables.js';
import { follow } from './follow.js';
import { PROJECTOR_LOCK, withLock } from './lock.js';
import { type ProjectorParts, pause } from './progress.js';

import { resumeStream } from './resume-stream.js';
import { isOfDatabase, nextRetry, requestRetry } from './stopped-streams.js';

/** Failures without any progress after which an error that is neither the log's nor the database's ends the projector. */
const TRIES = 4;
const PAUSE_MIN_MS = 50;
const PAUSE_MAX_MS = 10_000;
/** Interval at which the projector looks for requests to resume stopped streams. */
const LOOK_AGAIN_AFTER_MS = 500;
/** Time for stopped streams before the projector continues with the others. */
const RESUME_MAX_MS = 1_000;

/**
 * Projects until `signal` aborts, as soon as no other process does. While the log or the database is away it waits, longer
 * each time. An event that a projection cannot take stops the rows of its stream, and all others go on. Such streams are
 * tried again when an operator asks for it, and by the next process that projects, which may be a newer version.
 */
export class ProjectorRun {
  #failures = 0;
  #progressAtFailure: number;
  #isFirst = true;
  /** State kept between two readings of the checkpoints. */
  #reading: { readonly ended: AbortController; readonly over: Promise<unknown> } | undefined;

  constructor(
    private readonly parts: ProjectorParts,
    private readonly signal: AbortSignal,
  ) {
    this.#progressAtFailure = parts.progress.count;
  }

  async run(): Promise<void> {
    while (!this.signal.aborted) {
      try {
        // A process that reaches the database alone leaves the lock to one that reaches the log, too.
        await unlessAborted(this.signal, this.parts.subscriptions.head());
        await withLock(this.parts.db, PROJECTOR_LOCK, this.signal, (connection) => this.#project(connection));
        this.#failures = 0;
      } catch (error) {
        if (this.signal.aborted) return;
        await this.#failed(error);
      }
    }
  }

  /** Drops events in memory and reads them again; resolves when no rows are written from earlier reads. */
  async reread(): Promise<void> {
    this.#reading?.ended.abort();
    await this.#reading?.over;
  }

  async #project(connection: Kysely<ReadTables>): Promise<void> {
    const ended = new AbortController();
    const over = this.#projectUntil(connection, ended);
    this.#reading = { ended, over: over.catch(() => {}) };
    await over;
  }

  async #projectUntil(connection: Kysely<ReadTables>, ended: AbortController): Promise<void> {
    if (this.#isFirst) await requestRetry(connection, {});
    this.#isFirst = false;
    await this.#resume(connection);
    const looking = this.#untilRetried(ended);
    try {
      await follow(connection, this.parts, this.signal, ended.signal);
    } finally {
      ended.abort();
      await looking;
    }
  }

  /** Retries stopped streams for a limited time; the rest follows after the newest events. */
  async #resume(connection: Kysely<ReadTables>): Promise<void> {
    const until = performance.now() + RESUME_MAX_MS;
    while (!this.signal.aborted && performance.now() < until) {
      const stop = await nextRetry(connection);
      if (!stop) return;
      await resumeStream(connection, this.parts, stop, this.signal);
      this.parts.progress.advance();
    }
  }

  /** Aborts `ended` when a stopped stream shall be tried again. */
  async #untilRetried(ended: AbortController): Promise<void> {
    const until = AbortSignal.any([ended.signal, this.signal]);
    while (!until.aborted) {
      await pause(LOOK_AGAIN_AFTER_MS, until);
      if (until.aborted) return;
      const stop = await nextRetry(this.parts.db).catch(() => undefined);
      if (stop) ended.abort();
    }
  }

  async #failed(error: unknown): Promise<void> {
    const { progress, onError } = this.parts;
    this.#failures = progress.count > this.#progressAtFailure ? 1 : this.#failures + 1;
    this.#progressAtFailure = progress.count;
    onError(error);
    if (this.#failures >= TRIES && !isOfDatabase(error)) throw error;
    await pause(Math.min(PAUSE_MIN_MS * 2 ** (this.#failures - 1), PAUSE_MAX_MS), this.signal);
  }
}
