import { sql } from 'kysely';
import type { ReadModelDatabase } from '../database.js';

/** Milliseconds for which the database time is extrapolated with this process's monotonic clock. */
const KNOWN_FOR_MS = 10_000;

/**
 * The database's time, which determines when deliveries are due: the wall clock of this process may be wrong or jump.
 */
export class DatabaseClock {
  #known: { readonly ms: number; readonly at: number } | undefined;

  constructor(private readonly database: Pick<ReadModelDatabase, 'db'>) {}

  /** Milliseconds since 1970; by this process' clock before the database was first asked. */
  readonly now = (): number =>
    this.#known ? this.#known.ms + (performance.now() - this.#known.at) : Date.now();

  /** Asks the database, unless it was asked a moment ago. */
  async refresh(): Promise<void> {
    if (this.#known && performance.now() - this.#known.at < KNOWN_FOR_MS) return;
    const { rows } = await sql<{ readonly ms: number }>`
      select (extract(epoch from clock_timestamp()) * 1000)::double precision as ms`.execute(
      this.database.db,
    );
    const ms = rows[0]?.ms;
    if (ms !== undefined) this.#known = { ms, at: performance.now() };
  }
}
