import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import type { ReadModelDatabase } from '../database.js';
import type { Listening } from '../listening.js';
import type { Remembered } from './remembered.js';

/** Processes hear of erasures on this channel; a notification is the generation to drop all keys for. */
const CHANNEL = 'palimpsest_keys';
/**
 * Milliseconds that a process goes on with keys in memory while it cannot hear of erasures. An erasure waits as long for
 * a process that has gone without a word.
 */
const DEAF_MAX_MS = 30_000;
/** Milliseconds between two signs of life of a process. */
const SIGN_MS = 5_000;
/** Milliseconds between two looks at the processes that an erasure waits for. */
const LOOK_MS = 20;

/** This process in the list of processes with keys in memory: it drops them after the notice of an erasure, and confirms. */
export class KeyProcess {
  readonly name = randomUUID();
  private readonly listeners: (() => void | Promise<void>)[] = [];
  private listening: Listening | undefined;
  private timer: NodeJS.Timeout | undefined;
  private isClosed = false;

  private constructor(
    private readonly database: Pick<ReadModelDatabase, 'db' | 'listen'>,
    private readonly caches: readonly Pick<Remembered<unknown>, 'clear' | 'expireWithin'>[],
  ) {}

  static async start(
    database: Pick<ReadModelDatabase, 'db' | 'listen'>,
    caches: readonly Pick<Remembered<unknown>, 'clear' | 'expireWithin'>[],
    isAlone: boolean,
  ): Promise<KeyProcess> {
    if (isAlone) await sql`delete from keys.process`.execute(database.db);
    const process = new KeyProcess(database, caches);
    await process.listen();
    process.timer = setInterval(() => void process.sign(), SIGN_MS).unref();
    return process;
  }

  onEvicted(listener: () => void | Promise<void>): void {
    this.listeners.push(listener);
  }

  /** Resolves when every process has dropped the keys that it had when this was called. */
  async evictEverywhere(): Promise<void> {
    const { db } = this.database;
    const { rows } = await sql<{
      readonly generation: bigint;
    }>`select nextval('keys.generation') as generation`.execute(db);
    const generation = rows[0]?.generation ?? 0n;
    await this.drop(generation);
    await sql`select pg_notify(${CHANNEL}, ${String(generation)})`.execute(db);
    for (;;) {
      // One whose connection is gone drops its keys by itself; one that is gone has none.
      await sql`delete from keys.process as one where not exists (select 1 from pg_stat_activity as server
        where server.pid = one.pid and server.backend_start = one.started)
        and one.seen_at < now() - make_interval(secs => ${(DEAF_MAX_MS + SIGN_MS) / 1_000})`.execute(db);
      const waiting = await sql`select 1 from keys.process
        where process <> ${this.name} and dropped < ${generation} limit 1`.execute(db);
      if (waiting.rows.length === 0) return;
      await pause(LOOK_MS);
    }
  }

  async close(): Promise<void> {
    this.isClosed = true;
    clearInterval(this.timer);
    this.clear();
    await sql`delete from keys.process where process = ${this.name}`
      .execute(this.database.db)
      .catch(() => {});
    await this.listening?.close();
  }

  /** A connection that ends is replaced at the next sign of life. */
  private async listen(): Promise<void> {
    const listening = await this.database.listen(
      CHANNEL,
      (generation) => void this.drop(BigInt(generation)).catch(() => this.deaf()),
      () => this.deaf(),
    );
    this.listening = listening;
    // A process that registers anew has no earlier keys, so missed notifications do not matter. Until it is registered, it creates no keys.
    await this.forget();
    await sql`insert into keys.process (process, pid, started, dropped)
      select ${this.name}, pid, backend_start,
        (select case when is_called then last_value else last_value - 1 end from keys.generation)
      from pg_stat_activity where pid = ${listening.pid}
      on conflict (process) do update set pid = excluded.pid, started = excluded.started,
        dropped = excluded.dropped, seen_at = now()`.execute(this.database.db);
    // No erasure waited for the keys that were read before.
    this.clear();
  }

  private async sign(): Promise<void> {
    try {
      if (this.isClosed || (this.listening && (await this.isHeard()))) return;
      await this.listening?.close();
      await this.listen();
    } catch {
      // The database does not answer: keys in memory end with their lifetime.
    }
  }

  /** Whether the connection is still one of the server's, and erasures wait for this process. */
  private async isHeard(): Promise<boolean> {
    const { numAffectedRows = 0n } = await sql`update keys.process as one set seen_at = now()
      where one.process = ${this.name} and exists (select 1 from pg_stat_activity as server
        where server.pid = one.pid and server.backend_start = one.started)`.execute(this.database.db);
    return numAffectedRows > 0n;
  }

  private async drop(generation: bigint): Promise<void> {
    await this.forget();
    await sql`update keys.process set dropped = greatest(dropped, ${generation}), seen_at = now()
      where process = ${this.name}`.execute(this.database.db);
  }

  /** Drops all keys, and the content read with them. */
  private async forget(): Promise<void> {
    this.clear();
    await Promise.all(this.listeners.map((listener) => listener()));
    this.clear();
  }

  private clear(): void {
    for (const cache of this.caches) cache.clear();
  }

  private deaf(): void {
    this.listening = undefined;
    for (const cache of this.caches) cache.expireWithin(DEAF_MAX_MS);
  }
}
