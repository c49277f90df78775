import { sql } from 'kysely';
import type { ReadModelDatabase } from '../database.js';

/** How long the database's time is told from this process' monotonic clock before it is asked again. Milliseconds. */
const KNOWN_FOR_MS = 10_000;

/**
 * The time by the clock of the database, which says when deliveries are due: the wall clock of this process may be wrong,
 * or jump, and no delivery waits for it.
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
