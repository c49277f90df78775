/**
 * Searches an audit of 10,000,000 rows (`PALIMPSEST_BENCH_ROWS`) by single and combined filters in both sort orders,
 * a hundred rows each; compared with a bare query for the same rows: the same conditions in plain SQL over the same
 * indexes, without policies. Also measures the rows by primary key as a lower bound. `PALIMPSEST_BENCH_AUDIT` names a
 * folder that is kept, so that the rows are generated once.
 */
import { join } from 'node:path';
import { migrate, openDatabase, openReadModels } from '@app/adapters/read-model-postgres';
import { spawnPostgres } from '@app/embedded-postgres';
import { IsoTime, invariant, TenantId } from '@app/kernel';
import type { AuditFilter, AuditRow, ReadModels } from '@app/ports';
import { LARGE_TENANT, memoryDigests, SMALL_TENANT } from '@app/testing';
import pg from 'pg';
import { bareQuery, bareQueryOf } from './support/audits/bare.js';
import { type Asked, CASES, CASES_OF_ENDS } from './support/audits/cases.js';
import { fillAudit } from './support/audits/fill.js';
import { readInvocation } from './support/invocation.js';
import { fixed, note, report, whole } from './support/report.js';
import { median, millisecondsOf, quantile, takeTurns } from './support/rounds.js';

const { quick, folder } = readInvocation();
const ROWS = quick ? 200_000 : Number(process.env.PALIMPSEST_BENCH_ROWS ?? 10_000_000);
const SAMPLES = quick ? 40 : 100;
const PAGE = 100;
/** Repetitions per search, so that a busy moment of the machine does not count as a slow search. */
const REPEATS = 7;
/** A bare query is cancelled after this time, which then counts as its duration. */
const BARE_MAX_MS = 250;
const QUERY_CANCELED = '57014';

type Sample = { readonly tenant: TenantId; readonly row: AuditRow };

/** Rows of all ages: half of a tenant with half of all rows, half of one with a fortieth. */
const someRows = async (models: ReadModels, filter: Partial<AuditFilter>): Promise<readonly Sample[]> => {
  const found: Sample[] = [];
  for (let number = 1; found.length < SAMPLES && number < SAMPLES * 1.1; number += 1) {
    const tenant = TenantId(number % 2 === 0 ? LARGE_TENANT : SMALL_TENANT);
    const at = IsoTime(new Date(Date.UTC(2026, 0, 1) + (number / (SAMPLES * 1.1)) * ROWS * 370));
    const [row] = await models.audit({ tenant, ...filter, since: at, sort: 'position', limit: 1 });
    if (row) found.push({ tenant, row });
  }
  return found;
};

const WAYS = ['ours', 'bare', 'by key'] as const;
type Times = Readonly<Record<(typeof WAYS)[number], number[]>>;

const timesOf = async (
  models: ReadModels,
  client: pg.Client,
  samples: readonly Sample[],
  asked: (row: AuditRow, number: number) => Asked,
): Promise<{ readonly times: Times; readonly rows: number }> => {
  const times: Times = { ours: [], bare: [], 'by key': [] };
  let rows = 0;
  for (const [number, { tenant, row }] of samples.entries()) {
    const query = { tenant, ...asked(row, number), limit: PAGE };
    const found = await models.audit(query);
    rows += found.length;
    const bare = bareQuery(query);
    const byKey = bareQueryOf(tenant, found);
    const same = await answered(() => client.query(bare));
    invariant((same ?? found).length === found.length, 'a bare query finds the same rows');
    const ways = {
      ours: () => millisecondsOf(() => models.audit(query)),
      bare: () => millisecondsOf(() => answered(() => client.query(bare))),
      'by key': () => millisecondsOf(() => client.query(byKey)),
    };
    const measured = await takeTurns(ways, { rounds: same ? REPEATS : 1, warmUps: same ? 1 : 0 });
    for (const way of WAYS) times[way].push(median(measured.get(way) ?? []));
  }
  return { times, rows };
};

/** Returns the rows; `undefined` if the bare query was cancelled, as for time ranges in log order. */
const answered = async (query: () => Promise<pg.QueryResult>): Promise<readonly unknown[] | undefined> => {
  try {
    return (await query()).rows;
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === QUERY_CANCELED) return undefined;
    throw error;
  }
};

const measure = async (models: ReadModels, client: pg.Client): Promise<void> => {
  const rows = await someRows(models, {});
  const ends = await someRows(models, { types: ['CompactionCompleted'] });
  const cases = [
    ...Object.entries(CASES).map(([name, asked]) => ({ name, asked, samples: rows })),
    ...Object.entries(CASES_OF_ENDS).map(([name, asked]) => ({ name, asked, samples: ends })),
  ];
  const lines: string[][] = [];
  let worst = 0;
  for (const { name, asked, samples } of cases) {
    const { times, rows: count } = await timesOf(models, client, samples, asked);
    const late = WAYS.map((way) => quantile(times[way], 0.95));
    const [ours = Number.NaN, bare = Number.NaN, byKey = Number.NaN] = late;
    worst = Math.max(worst, ours / bare);
    note(`${name}: ${fixed(ours / bare)}`);
    lines.push([
      name,
      ...late.map((milliseconds) => `${fixed(milliseconds)} ms`),
      fixed(ours / bare),
      fixed(median(times.ours) / median(times.bare)),
      fixed(ours / byKey),
      fixed(count / samples.length, 0),
    ]);
  }
  report(
    `audit: among ${whole(ROWS)} rows the p95 of a search is at most ${fixed(worst)} times the p95 of a bare query for the same rows`,
    ['by', 'p95', 'bare p95', 'by key p95', 'to bare', 'of medians', 'to by key', 'rows'],
    lines,
  );
};

const server = await spawnPostgres({
  dataDir: process.env.PALIMPSEST_BENCH_AUDIT ?? join(folder, 'postgres'),
});
const database = openDatabase(server.url);
const client = new pg.Client({ connectionString: server.url });
try {
  await client.connect();
  await migrate(database.db);
  await fillAudit(client, ROWS);
  await client.query(`set statement_timeout = ${BARE_MAX_MS}`);
  await measure(openReadModels(database, memoryDigests), client);
} finally {
  await client.end();
  await database.close();
  await server.stop();
}
