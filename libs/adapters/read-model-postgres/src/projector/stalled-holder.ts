import { type Kysely, sql } from 'kysely';
import type { ReadTables } from '../rows/read-tables.js';

/** Milliseconds between two signs of life of the holder of a lock. */
const BEAT_EVERY_MS = 2_000;
/** The lease: a holder without a beat for so long is replaced. Five beats, so that a slow moment costs nothing. */
const LEASE_MS = 10_000;
const LOOK_EVERY_MS = 1_000;

/**
 * Sends heartbeats for the holder of a lock until the returned function is called. Uses another connection than the
 * holder's, where a long transaction would delay them. A failed heartbeat is skipped.
 */
export const beat = async (
  db: Kysely<ReadTables>,
  connection: Kysely<ReadTables>,
  { lock, pid }: { readonly lock: bigint; readonly pid: number },
): Promise<() => Promise<void>> => {
  await sql`insert into lock_beat (lock, pid) values (${lock}, ${pid})
    on conflict (lock) do update set pid = excluded.pid, beats = lock_beat.beats + 1`.execute(connection);
  let underWay: Promise<unknown> | undefined;
  const timer = setInterval(() => {
    underWay ??= sql`update lock_beat set beats = beats + 1 where lock = ${lock} and pid = ${pid}`
      .execute(db)
      .catch(() => undefined)
      .finally(() => {
        underWay = undefined;
      });
  }, BEAT_EVERY_MS);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await underWay;
  };
};

/** Watches the holder of a lock for a stand-by, and terminates its connection once it is stalled. */
export class HolderWatch {
  #seen: { readonly pid: number; readonly beats: bigint; readonly at: number } | undefined;
  #lookedAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly lock: bigint) {}

  /**
   * Checks at most once a second. Uses this process's monotonic clock, so that clocks need not agree. Terminates the
   * holder only if it has sent no heartbeat in between, even if this process was stalled itself.
   */
  async look(connection: Kysely<ReadTables>): Promise<void> {
    const now = performance.now();
    if (now - this.#lookedAt < LOOK_EVERY_MS) return;
    this.#lookedAt = now;
    const { rows } = await sql<{ readonly pid: number; readonly beats: bigint }>`
      select l.pid, coalesce(b.beats, -1) as beats ${this.#holder()}`.execute(connection);
    const holder = rows[0];
    const seen = this.#seen;
    if (!holder || !seen || seen.pid !== holder.pid || seen.beats !== holder.beats) {
      this.#seen = holder && { ...holder, at: now };
      return;
    }
    if (now - seen.at < LEASE_MS) return;
    await sql`select pg_terminate_backend(l.pid) ${this.#holder()}
      where l.pid = ${seen.pid} and coalesce(b.beats, -1) = ${seen.beats}`.execute(connection);
    this.#seen = undefined;
  }

  /** PostgreSQL shows the halves of a lock's number: https://www.postgresql.org/docs/current/view-pg-locks.html */
  #holder() {
    return sql`from (
        select pid from pg_locks
        where locktype = 'advisory' and granted and objsubid = 1
          and database = (select oid from pg_database where datname = current_database())
          and classid = ${this.lock >> 32n}::bigint::oid and objid = ${this.lock & 0xffff_ffffn}::bigint::oid
      ) as l left join lock_beat as b on b.lock = ${this.lock} and b.pid = l.pid`;
  }
}
