import { type Kysely, sql } from 'kysely';
import type { ReadTables } from '../rows/read-tables.js';
import { isLockTimeout } from './failures.js';

/** Nobody else's, we hope: the first 60 bits of the SHA-256 of `palimpsest projector` and `… rebuild`. */
export const PROJECTOR_LOCK = 799_579_742_705_653_165n;
export const REBUILD_LOCK = 857_609_454_297_869_041n;

/** How long the server lets us wait before we look whether we still want to. */
const LOOK_UP_AFTER = '250ms';

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
    while (!(await acquire(connection, lock, signal)));
    try {
      return await work(connection);
    } finally {
      // It goes back to the pool without the lock; a broken one is thrown away and has none.
      await sql`select pg_advisory_unlock(${lock})`.execute(connection).catch(() => {});
    }
  });

const acquire = async (
  connection: Kysely<ReadTables>,
  lock: bigint,
  signal: AbortSignal,
): Promise<boolean> => {
  signal.throwIfAborted();
  try {
    await connection.transaction().execute(async (trx) => {
      await sql`set local lock_timeout = ${sql.lit(LOOK_UP_AFTER)}`.execute(trx);
      await sql`select pg_advisory_lock(${lock})`.execute(trx); // Of the session: it outlives this transaction.
    });
    return true;
  } catch (error) {
    if (isLockTimeout(error)) return false;
    throw error;
  }
};
