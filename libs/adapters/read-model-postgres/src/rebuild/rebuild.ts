import { invariant, type LogPosition } from '@app/kernel';
import type { ProjectionName, RebuildResult, Subscriptions } from '@app/ports';
import { type Kysely, sql, type Transaction } from 'kysely';
import { type LogPart, readUpTo } from '../log/read-batches.js';
import type { Projection } from '../projections/projection.js';
import { applyBatch, applyIn, type Batch } from '../projector/apply-batch.js';
import { highestOf, isBefore, type Positions, readPositions } from '../projector/checkpoints.js';
import { REBUILD_LOCK, withLock } from '../projector/lock.js';
import type { ProjectorParts } from '../projector/progress.js';
import { isLockTimeout, isPoison, isSkipped, type StreamStop } from '../projector/stopped-streams.js';
import type { ReadTables } from '../rows/read-tables.js';
import { createTables, dropTables, exchangeCheckpoint, exchangeTables } from './build-tables.js';

/** Events left for the exchange, during which no process may project. */
const REST_MAX = 500;
/** … unless the log grows as fast as it is read. */
const ROUNDS_MAX = 20;
/** Attempts to lock the tables, and the timeout of each: waiting for the lock blocks readers. */
const TRIES = 10;
const LOCK_TIMEOUT = '3s';

/**
 * Rebuilds the rows of projections from the start of the log, beside the serving ones, while a projector may run. One
 * transaction exchanges tables and checkpoints; the old ones are never ahead of the new. A failure before it leaves
 * the old tables unchanged. Content that is erased meanwhile may be in the new tables already: they are built anew.
 */
export const rebuild = (
  { db, subscriptions, projections: all }: ProjectorParts,
  names: readonly ProjectionName[],
  signal: AbortSignal,
  onProgress: (fraction: number) => void = () => {},
): Promise<readonly RebuildResult[]> =>
  withLock(db, REBUILD_LOCK, signal, async (connection) => {
    const projections = all.filter(({ name }) => names.includes(name));
    for (;;) {
      const erasures = await erasuresBegun(connection);
      await createTables(connection, projections);
      try {
        const build = new Build(connection, subscriptions, projections, erasures, signal, onProgress);
        await build.catchUp();
        return await build.takeOver();
      } catch (error) {
        if (!(error instanceof ErasedMeanwhile)) throw error;
      } finally {
        // After a failed cleanup the next rebuild drops the tables.
        await dropTables(connection).catch(() => {});
      }
    }
  });

class ErasedMeanwhile extends Error {}

/** Counts upwards as soon as content of an erasure cannot be read any more. */
const erasuresBegun = async (db: Kysely<ReadTables>): Promise<string> => {
  const { rows } = await sql<{ readonly count: string }>`
    select last_value::text || is_called::text as count from keys.generation`.execute(db);
  return rows[0]?.count ?? '';
};

class Build {
  /** Everything at or before it is in the new tables. */
  #at: LogPosition | 'start' = 'start';

  constructor(
    private readonly connection: Kysely<ReadTables>,
    private readonly subscriptions: Subscriptions,
    private readonly projections: readonly Projection[],
    private readonly erasures: string,
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
        if (tries >= TRIES || error instanceof ErasedMeanwhile) throw error;
        // A poison event stops its stream in a transaction before the exchange.
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
    // The serving checkpoints are now locked: the events up to them are the last missing ones.
    const serving = highestOf(await readPositions(trx.withSchema('read'), this.projections, 'for update'));
    // A log restored from an older backup may end before the checkpoints: its next events must not count as applied.
    const head = await this.subscriptions.head();
    const last = isBefore(head, serving) ? head : serving;
    const end = isBefore(this.#at, last) ? last : this.#at;
    if (end !== 'start') await this.#finish(trx, end);

    const results: RebuildResult[] = [];
    for (const projection of this.projections) {
      const rows = await exchangeTables(trx, projection);
      results.push({ projection: projection.name, events: await exchangeCheckpoint(trx, projection), rows });
    }
    // The tables are locked: an erasure that begins from now on cleans the new ones.
    if ((await erasuresBegun(trx)) !== this.erasures) throw new ErasedMeanwhile();
    return results;
  }

  async #finish(trx: Transaction<ReadTables>, end: LogPosition): Promise<void> {
    for await (const part of readUpTo(this.subscriptions, this.#at, end, this.signal))
      await applyIn(trx, { ...this.#batch(part), way: 'together' });
    await applyIn(trx, { ...this.#batch({ events: [], position: end }), way: 'together' });
  }
}
