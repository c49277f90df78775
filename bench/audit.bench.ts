/**
 * The audit searched by each filter, the newest hundred rows, among 10,000,000 (`PALIMPSEST_BENCH_ROWS` says how many); against
 * a bare query for the same rows by their primary key, on the same connection settings. The bare query knows which rows
 * pass; the search has to find them.
 */
import { join } from 'node:path';
import { migrate, openDatabase, openReadModels } from '@app/adapters/read-model-postgres';
import { spawnPostgres } from '@app/embedded-postgres';
import { IsoTime, SessionId, TenantId } from '@app/kernel';
import type { AuditFilter, AuditRow, ReadModels } from '@app/ports';
import { auditHours, auditRows, LARGE_TENANT, SMALL_TENANT } from '@app/testing';
import pg from 'pg';
import { readInvocation } from './support/invocation.js';
import { fixed, note, report, whole } from './support/report.js';
import { millisecondsOf, quantile } from './support/rounds.js';

const { quick, folder } = readInvocation();
const ROWS = quick ? 200_000 : Number(process.env.PALIMPSEST_BENCH_ROWS ?? 10_000_000);
const SAMPLES = quick ? 40 : 200;
const PAGE = 100;
const CHUNK = 500_000;

/** What is asked for, so that the row is among what passes. */
const FILTERS: Readonly<Record<string, (row: AuditRow) => Partial<AuditFilter>>> = {
  'no filter': () => ({}),
  session: ({ session }) => ({ session: SessionId(session) }),
  type: ({ type }) => ({ types: [type] }),
  'two types': ({ type }) => ({ types: [type, 'CompactionCompleted'] }),
  trigger: () => ({ trigger: 'idle' }),
  outcome: () => ({ outcome: 'failed' }),
  profile: ({ profile }) => ({ ...(profile !== null && { profile }) }),
  model: ({ model }) => ({ ...(model !== null && { model }) }),
  actor: ({ actor }) => ({ actor }),
  correlation: ({ correlationId }) => ({ correlationId }),
  time: ({ recordedAt }) => hourFrom(recordedAt),
  'time and type': ({ recordedAt, type }) => ({ ...hourFrom(recordedAt), types: [type] }),
  'actor and type': ({ actor, type }) => ({ actor, types: [type] }),
  'model, outcome and time': ({ model, recordedAt }) => ({
    ...hourFrom(recordedAt),
    ...(model !== null && { model }),
    outcome: 'completed',
  }),
};

const hourFrom = (time: string): Pick<AuditFilter, 'since' | 'until'> => ({
  since: IsoTime(time),
  until: IsoTime(new Date(Date.parse(time) + 3_600_000)),
});

/** Indexes are made when the rows are there: ten times as fast, and the same. */
const fill = async (client: pg.Client): Promise<void> => {
  const { rows: there } = await client.query('select count(*)::int as rows from read.audit_events');
  if (there[0]?.rows === ROWS) return; // Of a run before, in a folder that was kept.
  await client.query("set maintenance_work_mem = '1GB'");
  const { rows: indexes } =
    await client.query(`select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as made
    from pg_index where indrelid = 'read.audit_events'::regclass and not indisprimary`);
  for (const { name } of indexes) await client.query(`drop index ${name}`);
  for (let after = 0; after < ROWS; after += CHUNK) {
    await client.query(auditRows({ after, upTo: Math.min(after + CHUNK, ROWS) }));
    note(`${whole(Math.min(after + CHUNK, ROWS))} rows`);
  }
  for (const { made } of indexes) await client.query(made);
  await client.query(auditHours);
  await client.query('vacuum analyze read.audit_events');
  await client.query('analyze read.audit_hours');
};

const BARE = `select position, session, revision, type, recorded_at, actor, correlation, compaction, trigger, outcome, profile,
  model, payload from read.audit_events where tenant = $1 and position = any($2::bigint[]) order by position desc`;

/** Rows of all ages, half of them of a tenant that has half of all, half of one that has a fortieth. */
const someRows = async (models: ReadModels): Promise<readonly { tenant: TenantId; row: AuditRow }[]> => {
  const found: { tenant: TenantId; row: AuditRow }[] = [];
  for (let number = 1; found.length < SAMPLES; number += 1) {
    const tenant = TenantId(number % 2 === 0 ? LARGE_TENANT : SMALL_TENANT);
    const at = IsoTime(new Date(Date.UTC(2026, 0, 1) + (number / (SAMPLES * 1.1)) * ROWS * 370));
    const [row] = await models.audit({ tenant, since: at, sort: 'position', limit: 1 });
    if (row) found.push({ tenant, row });
  }
  return found;
};

const measure = async (models: ReadModels, client: pg.Client): Promise<void> => {
  const rows = await someRows(models);
  const lines: string[][] = [];
  let worst = 0;
  for (const [name, filterFor] of Object.entries(FILTERS)) {
    const ours: number[] = [];
    const bare: number[] = [];
    let count = 0;
    for (const { tenant, row } of rows) {
      const query = { tenant, ...filterFor(row), limit: PAGE };
      const found = await models.audit(query); // Both read what is in memory already.
      const positions = found.map(({ position }) => position.toString());
      await client.query(BARE, [tenant, positions]);
      count += found.length;
      ours.push(await millisecondsOf(() => models.audit(query)));
      bare.push(await millisecondsOf(() => client.query(BARE, [tenant, positions])));
    }
    const ratio = quantile(ours, 0.95) / quantile(bare, 0.95);
    worst = Math.max(worst, ratio);
    const milliseconds = [ours, bare].map((times) => `${fixed(quantile(times, 0.95))} ms`);
    lines.push([name, ...milliseconds, fixed(ratio), fixed(count / rows.length, 0)]);
  }
  report(
    `audit: among ${whole(ROWS)} rows the p95 of a search is at most ${fixed(worst)} times that of a bare query for the same rows`,
    ['by', 'p95', 'bare p95', 'ratio', 'rows'],
    lines,
  );
};

const server = await spawnPostgres({ dataDir: join(folder, 'postgres') });
const database = openDatabase(server.url);
const client = new pg.Client({ connectionString: server.url });
try {
  await client.connect();
  await migrate(database.db);
  await fill(client);
  await measure(openReadModels(database), client);
} finally {
  await client.end();
  await database.close();
  await server.stop();
}
