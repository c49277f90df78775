import { type Kysely, sql } from 'kysely';
import type { ReadTables } from '../rows/read-tables.js';
import { pause } from './pacing/pause.js';

/** Nobody else's, we hope: the first 60 bits of the SHA-256 of `palimpsest projector` and `… rebuild`. */
export const PROJECTOR_LOCK = 799_579_742_705_653_165n;
export const REBUILD_LOCK = 857_609_454_297_869_041n;

/** A stand-by asks so often. It does not wait in the server, which would not see that it is wanted no more. */
const ASK_AGAIN_AFTER_MS = 250;

/**
 * Does `work` on a connection that holds a lock of the whole database, as soon as it is free. Whoever writes on that
 * connection alone holds the lock while it can write: where the connection breaks, both are gone.
 *
 * @throws the reason of `signal` where it aborts while the lock is waited for.
 */
export const withLock = <Result>(
  db: Kysely<ReadTables>,
  lock: bigint,
  signal: AbortSignal,
  work: (connection: Kysely<ReadTables>) => Promise<Result>,
): Promise<Result> =>
  db.connection().execute(async (connection) => {
    while (!(await isTaken(connection, lock, signal))) await pause(ASK_AGAIN_AFTER_MS, signal);
    try {
      return await work(connection);
    } finally {
      // It goes back to the pool without the lock; a broken one is thrown away and has none.
      await sql`select pg_advisory_unlock(${lock})`.execute(connection).catch(() => {});
    }
  });

/** Whether the lock is ours now: the connection's, until it gives it back or ends. */
const isTaken = async (
  connection: Kysely<ReadTables>,
  lock: bigint,
  signal: AbortSignal,
): Promise<boolean> => {
  signal.throwIfAborted();
  const { rows } = await sql<{ taken: boolean }>`
    select pg_try_advisory_lock(${lock}) as taken`.execute(connection);
  return rows[0]?.taken === true;
};
