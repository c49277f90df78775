import { type Kysely, sql } from 'kysely';
import type { ReadTables } from '../rows/read-tables.js';
import { pause } from './progress.js';
import { beat, HolderWatch } from './stalled-holder.js';

/** The first 60 bits of the SHA-256 of `palimpsest projector` and `… rebuild`, which no other program is likely to use. */
export const PROJECTOR_LOCK = 799_579_742_705_653_165n;
export const REBUILD_LOCK = 857_609_454_297_869_041n;

/** Polling interval of a stand-by. It does not wait in the server, which would not notice a cancelled wait. */
const ASK_AGAIN_AFTER_MS = 250;

/**
 * Runs `work` on a connection that holds a database-wide lock, once it is free. Only writes on that connection are
 * fenced: lock and transactions end with it. The holder sends heartbeats; a stand-by terminates the connection of a
 * holder that is silent for longer than the lease.
 *
 * @throws the reason of `signal` while waiting; `postgres-unavailable` after the lock was lost.
 */
export const withLock = <Result>(
  db: Kysely<ReadTables>,
  lock: bigint,
  signal: AbortSignal,
  work: (connection: Kysely<ReadTables>) => Promise<Result>,
): Promise<Result> =>
  db.connection().execute(async (connection) => {
    const watch = new HolderWatch(lock);
    for (;;) {
      signal.throwIfAborted();
      const pid = await pidOfLock(connection, lock);
      if (pid !== undefined) return await holding(db, connection, { lock, pid }, work);
      await watch.look(connection);
      await pause(ASK_AGAIN_AFTER_MS, signal);
    }
  });

type Held = { readonly lock: bigint; readonly pid: number };

const holding = async <Result>(
  db: Kysely<ReadTables>,
  connection: Kysely<ReadTables>,
  held: Held,
  work: (connection: Kysely<ReadTables>) => Promise<Result>,
): Promise<Result> => {
  const stop = await beat(db, connection, held);
  try {
    return await work(connection);
  } finally {
    await stop();
    // Returns the connection to the pool without the lock; a broken connection is discarded.
    await sql`select pg_advisory_unlock(${held.lock})`.execute(connection).catch(() => {});
  }
};

/** Returns the server process of the connection if it holds the lock. */
const pidOfLock = async (connection: Kysely<ReadTables>, lock: bigint): Promise<number | undefined> => {
  const { rows } = await sql<{ readonly taken: boolean; readonly pid: number }>`
    select pg_try_advisory_lock(${lock}) as taken, pg_backend_pid() as pid`.execute(connection);
  return rows[0]?.taken ? rows[0].pid : undefined;
};
