/**
 * The audit searched by filters, alone and together, and sorted both ways, a hundred rows each time, among 10,000,000
 * (`PALIMPSEST_BENCH_ROWS` says how many); against a bare query for the same rows by their primary key, on the same
 * connection settings. The bare query knows which rows pass; the search has to find them. `PALIMPSEST_BENCH_AUDIT` names
 * a folder that is kept, so that the rows are made once.
 */
import { join } from 'node:path';
import { migrate, openDatabase, openReadModels } from '@app/adapters/read-model-postgres';
import { spawnPostgres } from '@app/embedded-postgres';
import { IsoTime, TenantId } from '@app/kernel';
import type { AuditFilter, AuditRow, ReadModels } from '@app/ports';
import { LARGE_TENANT, SMALL_TENANT } from '@app/testing';
import pg from 'pg';
import { type Asked, CASES, CASES_OF_ENDS } from './support/auditing/cases.js';
import { fillAudit } from './support/auditing/fill.js';
import { readInvocation } from './support/invocation.js';
import { fixed, note, report, whole } from './support/report.js';
import { median, millisecondsOf, quantile, takeTurns } from './support/rounds.js';

const { quick, folder } = readInvocation();
const ROWS = quick ? 200_000 : Number(process.env.PALIMPSEST_BENCH_ROWS ?? 10_000_000);
const SAMPLES = quick ? 40 : 100;
const PAGE = 100;
/** Of each search, so that a moment in which the machine does something else is not taken for a slow search. */
const REPEATS = 7;

const BARE = `select position, session, revision, type, recorded_at, actor, correlation, compaction, trigger, outcome, profile,
  model, payload from read.audit_events where tenant = $1 and position = any($2::bigint[]) order by position desc`;

type Sample = { readonly tenant: TenantId; readonly row: AuditRow };

/** Rows of all ages, half of them of a tenant that has half of all, half of one that has a fortieth. */
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

type Times = { readonly ours: number[]; readonly bare: number[]; rows: number };

const timesOf = async (
  models: ReadModels,
  client: pg.Client,
  samples: readonly Sample[],
  asked: (row: AuditRow, number: number) => Asked,
): Promise<Times> => {
  const times: Times = { ours: [], bare: [], rows: 0 };
  for (const [number, { tenant, row }] of samples.entries()) {
    const query = { tenant, ...asked(row, number), limit: PAGE };
    const found = await models.audit(query);
    const positions = found.map(({ position }) => position.toString());
    times.rows += found.length;
    const turns = {
      ours: () => millisecondsOf(() => models.audit(query)),
      bare: () => millisecondsOf(() => client.query(BARE, [tenant, positions])),
    };
    const measured = await takeTurns(turns, { rounds: REPEATS, warmUps: 1 });
    times.ours.push(median(measured.get('ours') ?? []));
    times.bare.push(median(measured.get('bare') ?? []));
  }
  return times;
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
    const { ours, bare, rows: count } = await timesOf(models, client, samples, asked);
    const ratio = quantile(ours, 0.95) / quantile(bare, 0.95);
    worst = Math.max(worst, ratio);
    const milliseconds = [ours, bare].map((times) => `${fixed(quantile(times, 0.95))} ms`);
    const middle = fixed(median(ours) / median(bare));
    note(`${name}: ${fixed(ratio)}`);
    lines.push([name, ...milliseconds, fixed(ratio), middle, fixed(count / samples.length, 0)]);
  }
  report(
    `audit: among ${whole(ROWS)} rows the p95 of a search is at most ${fixed(worst)} times that of a bare query for the same rows`,
    ['by', 'p95', 'bare p95', 'ratio', 'of medians', 'rows'],
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
  await measure(openReadModels(database), client);
} finally {
  await client.end();
  await database.close();
  await server.stop();
}
