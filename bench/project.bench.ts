/**
 * Rows per second of the projector, from an empty database to the end of the log, for all read models; compared with
 * PostgreSQL's COPY of the same rows into tables with the same indexes, an upper bound. COPY parses existing rows;
 * the projector also reads, validates and folds events, and commits in batches.
 */
import { join } from 'node:path';
import { migrate, openDatabase, openProjector } from '@app/adapters/read-model-postgres';
import { spawnPostgres } from '@app/embedded-postgres';
import { SessionId, TenantId } from '@app/kernel';
import { memoryDigests } from '@app/testing';
import pg from 'pg';
import { copyIn, copyOut } from './support/copy-rows.js';
import { type RunningStore, withEventStore } from './support/event-store.js';
import { readInvocation } from './support/invocation.js';
import { fixed, note, report, whole } from './support/report.js';
import { median, millisecondsOf, quantile, ratioOf, takeTurns } from './support/rounds.js';
import { recordSession } from './support/sessions/record-session.js';

const TABLES = ['sessions', 'compactions', 'compaction_turns', 'audit_events'] as const;
const { quick, folder } = readInvocation();
const SESSIONS = 20;
const LENGTH = quick ? 200 : 2_000;
const TIMES = quick ? { rounds: 2, warmUps: 0 } : { rounds: 5, warmUps: 1 };

const measure = async ({ log, subscriptions }: RunningStore): Promise<void> => {
  for (let at = 1; at <= SESSIONS; at += 1) {
    const ref = { tenant: TenantId('bench'), session: SessionId(`project-${at}`) };
    await recordSession(log, ref, { length: LENGTH, window: 32_768 });
  }
  const server = await spawnPostgres({ dataDir: join(folder, 'postgres') });
  const database = openDatabase(server.url);
  const client = new pg.Client({ connectionString: server.url });
  try {
    await client.connect();
    await migrate(database.db);
    const emptied = (tables: readonly string[], schema: string): Promise<unknown> =>
      client.query(`truncate ${tables.map((table) => `${schema}.${table}`).join(', ')}`);

    const project = async (): Promise<number> => {
      await emptied(TABLES, 'read');
      await client.query(
        'update read.projection_checkpoint set position = null, events = 0, updated_at = null',
      );
      const projector = openProjector({ database, subscriptions, digests: memoryDigests });
      const stop = new AbortController();
      const head = await subscriptions.head();
      const took = await millisecondsOf(async () => {
        const running = projector.run(stop.signal);
        await Promise.race([projector.reached(head, stop.signal), running]);
      });
      stop.abort();
      return took;
    };

    await project();
    const copies = new Map<string, readonly Buffer[]>();
    let rows = 0;
    await client.query('create schema bench_copy');
    for (const table of TABLES) {
      await client.query(`create table bench_copy.${table} (like read.${table} including all)`);
      copies.set(table, await copyOut(client, `read.${table}`));
      const { rows: found } = await client.query(`select count(*)::int as count from read.${table}`);
      rows += Number(found[0]?.count);
    }
    note(`${whole(rows)} rows in ${TABLES.length} tables`);
    const copy = async (): Promise<number> => {
      await emptied(TABLES, 'bench_copy');
      return millisecondsOf(async () => {
        for (const table of TABLES) await copyIn(client, `bench_copy.${table}`, copies.get(table) ?? []);
      });
    };

    const took = await takeTurns({ projector: project, COPY: copy }, TIMES);
    const rates = (way: 'projector' | 'COPY'): readonly number[] =>
      (took.get(way) ?? []).map((milliseconds) => (rows / milliseconds) * 1_000);
    report(
      `project: the projector writes ${fixed(ratioOf(rates('projector'), rates('COPY')))} of the rows that COPY writes in the same time`,
      ['rows per second', 'median', '10 % … 90 %'],
      (['projector', 'COPY'] as const).map((way) => [
        way,
        whole(median(rates(way))),
        `${whole(quantile(rates(way), 0.1))} … ${whole(quantile(rates(way), 0.9))}`,
      ]),
    );
  } finally {
    await client.end();
    await database.close();
    await server.stop();
  }
};

await withEventStore(folder, measure);
