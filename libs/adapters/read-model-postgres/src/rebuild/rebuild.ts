import { invariant, type LogPosition } from '@app/kernel';
import type { ProjectionName, RebuildResult, Subscriptions } from '@app/ports';
import { type Kysely, sql, type Transaction } from 'kysely';
import { type LogPart, readUpTo } from '../log/read-up-to.js';
import { PROJECTIONS } from '../projections/all.js';
import type { Projection } from '../projections/projection.js';
import { applyBatch, applyIn, type Batch } from '../projector/apply-batch.js';
import { highestOf, isBefore, type Positions, readPositions } from '../projector/checkpoints.js';
import { REBUILD_LOCK, withLock } from '../projector/lock.js';
import type { ProjectorParts } from '../projector/parts.js';
import { isLockTimeout, isPoison } from '../projector/stopped/failures.js';
import { isSkipped } from '../projector/stopped/skips.js';
import type { StreamStop } from '../projector/stopped/stopped-streams.js';
import type { ReadTables } from '../rows/read-tables.js';
import { createTables, dropTables, exchangeCheckpoint, exchangeTables } from './build-tables.js';

/** The rest, which is read while nobody may project, is at most what was written while so many events were read. */
const REST_MAX = 500;
/** … unless the log grows as fast as it is read. */
const ROUNDS_MAX = 20;
/** How often the tables are asked for, so long each time: whoever reads from them then keeps others from reading. */
const TRIES = 10;
const LOCK_TIMEOUT = '3s';

/**
 * Builds the rows of projections anew from the beginning of the log, beside those that serve. A projector may go on
 * meanwhile. One transaction puts the new tables and their checkpoints in the place of the old ones, which never stand
 * further on in the log than they; whatever ends this before leaves the old ones as they are.
 */
export const rebuild = (
  { db, subscriptions }: ProjectorParts,
  names: readonly ProjectionName[],
  signal: AbortSignal,
  onProgress: (fraction: number) => void = () => {},
): Promise<readonly RebuildResult[]> =>
  withLock(db, REBUILD_LOCK, signal, async (connection) => {
    const projections = PROJECTIONS.filter(({ name }) => names.includes(name));
    await createTables(connection, projections);
    try {
      const build = new Build(connection, subscriptions, projections, signal, onProgress);
      await build.catchUp();
      return await build.takeOver();
    } finally {
      // After the exchange little is left of it; after a failure the next rebuild drops what cannot be dropped now.
      await dropTables(connection).catch(() => {});
    }
  });

class Build {
  /** Everything at or before it is in the new tables. */
  #at: LogPosition | 'start' = 'start';

  constructor(
    private readonly connection: Kysely<ReadTables>,
    private readonly subscriptions: Subscriptions,
    private readonly projections: readonly Projection[],
    private readonly signal: AbortSignal,
    private readonly onProgress: (fraction: number) => void,
  ) {}

  /** Reads on until little is left. */
  async catchUp(): Promise<void> {
    for (let round = 1; round <= ROUNDS_MAX; round += 1) {
      const head = await this.subscriptions.head();
      if (head === 'start' || !isBefore(this.#at, head)) return;
      const events = await this.#readTo(head);
      if (events <= REST_MAX) return;
    }
  }

  async takeOver(): Promise<readonly RebuildResult[]> {
    for (let tries = 1; ; tries += 1) {
      this.signal.throwIfAborted();
      try {
        return await this.connection.transaction().execute((trx) => this.#exchange(trx));
      } catch (error) {
        if (tries >= TRIES) throw error;
        // What cannot be taken stops its stream outside of the exchange.
        if (isPoison(error)) await this.#readOn();
        else if (!isLockTimeout(error)) throw error;
      }
    }
  }

  async #readOn(): Promise<void> {
    const head = await this.subscriptions.head();
    if (head !== 'start') await this.#readTo(head);
  }

  async #readTo(head: LogPosition): Promise<number> {
    let count = 0;
    let positions = await readPositions(this.connection.withSchema('read_rebuild'), this.projections);
    for await (const part of readUpTo(this.subscriptions, this.#at, head, this.signal)) {
      positions = await this.#take(part, positions);
      count += part.events.length;
      this.onProgress(Number(part.position) / Number(head));
    }
    this.#at = head;
    return count;
  }

  async #take(part: LogPart, positions: Positions): Promise<Positions> {
    const applied = await applyBatch(this.connection, this.#batch(part), positions);
    invariant(applied !== 'overtaken', 'another process has changed what only the holder of the lock may');
    return applied.positions;
  }

  #batch(part: LogPart): Batch {
    const { subscriptions, projections, signal } = this;
    const skipped = (stop: StreamStop) => isSkipped(subscriptions, stop, signal);
    return { schema: 'read_rebuild', projections, part, isSkipped: skipped };
  }

  async #exchange(trx: Transaction<ReadTables>): Promise<readonly RebuildResult[]> {
    await sql`set local lock_timeout = ${sql.lit(LOCK_TIMEOUT)}`.execute(trx);
    // From here on nobody can move the checkpoints that serve: what is missing up to them is the last that is missing.
    const serving = highestOf(await readPositions(trx.withSchema('read'), this.projections, 'for update'));
    // But for a log that was restored from a time before them: what it records next must not be taken for known.
    const head = await this.subscriptions.head();
    const last = isBefore(head, serving) ? head : serving;
    const end = isBefore(this.#at, last) ? last : this.#at;
    if (end !== 'start') await this.#finish(trx, end);

    const results: RebuildResult[] = [];
    for (const projection of this.projections) {
      const rows = await exchangeTables(trx, projection);
      results.push({ projection: projection.name, events: await exchangeCheckpoint(trx, projection), rows });
    }
    return results;
  }

  async #finish(trx: Transaction<ReadTables>, end: LogPosition): Promise<void> {
    for await (const part of readUpTo(this.subscriptions, this.#at, end, this.signal))
      await applyIn(trx, { ...this.#batch(part), way: 'together' });
    await applyIn(trx, { ...this.#batch({ events: [], position: end }), way: 'together' });
  }
}
