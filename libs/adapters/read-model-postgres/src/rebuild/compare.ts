import { invariant, type Json, type JsonObject, type LogPosition, ownMember } from '@app/kernel';
import type { RowComparison, RowDifference } from '@app/ports';
import { type Kysely, sql, type Transaction } from 'kysely';
import { type LogPart, readUpTo } from '../log/read-batches.js';
import type { Projection } from '../projections/projection.js';
import { applyBatch, applyIn } from '../projector/apply-batch.js';
import { isBefore, lowestOf, readPositions } from '../projector/checkpoints.js';
import { REBUILD_LOCK, withLock } from '../projector/lock.js';
import type { ProjectorParts } from '../projector/progress.js';
import { isSkipped, type StreamStop } from '../projector/stopped-streams.js';
import type { Table } from '../rows/kinds.js';
import {
  apiKeys,
  auditEvents,
  auditHours,
  auditReads,
  compactions,
  compactionTurns,
  type ReadTables,
  sessions,
  tenants,
  usageByDay,
} from '../rows/read-tables.js';
import { createTables, dropTables } from './build-tables.js';

const TABLES: readonly Table[] = [
  sessions,
  compactions,
  compactionTurns,
  auditEvents,
  auditHours,
  usageByDay,
  tenants,
  apiKeys,
  auditReads,
];
const DIFFERENCES_MAX = 100;

/**
 * Builds the rows of all projections beside the serving ones, up to the same position of the log, and compares them, while
 * projectors and readers go on: the serving rows and their positions are those of one snapshot.
 */
export const compareRows = (parts: ProjectorParts, signal: AbortSignal): Promise<RowComparison> =>
  withLock(parts.db, REBUILD_LOCK, signal, async (connection) => {
    await createTables(connection, parts.projections);
    try {
      const at = await buildToServing(connection, parts, signal);
      return await connection
        .transaction()
        .setIsolationLevel('repeatable read')
        .execute((trx) => compareIn(trx, parts, at, signal));
    } finally {
      // After a failed cleanup the next rebuild or comparison drops the tables.
      await dropTables(connection).catch(() => {});
    }
  });

/** Most of the events, in transactions of their own. Returns the position up to which the rows were built. */
const buildToServing = async (
  connection: Kysely<ReadTables>,
  { subscriptions, projections }: ProjectorParts,
  signal: AbortSignal,
): Promise<LogPosition | 'start'> => {
  const end = lowestOf(await readPositions(connection.withSchema('read'), projections));
  let positions = await readPositions(connection.withSchema('read_rebuild'), projections);
  if (end === 'start') return end;
  for await (const part of readUpTo(subscriptions, 'start', end, signal)) {
    const applied = await applyBatch(
      connection,
      batchOf(part, projections, subscriptions, signal),
      positions,
    );
    invariant(applied !== 'overtaken', 'another process has changed what only the holder of the lock may');
    positions = applied.positions;
  }
  return end;
};

const compareIn = async (
  trx: Transaction<ReadTables>,
  { subscriptions, projections }: ProjectorParts,
  at: LogPosition | 'start',
  signal: AbortSignal,
): Promise<RowComparison> => {
  const serving = await readPositions(trx.withSchema('read'), projections);
  // Projections are at one position, unless one of them was rebuilt just now.
  for (const projection of projections) {
    const end = serving.get(projection.name) ?? 'start';
    if (end === 'start' || !isBefore(at, end)) continue;
    for await (const part of readUpTo(subscriptions, at, end, signal))
      await applyIn(trx, { ...batchOf(part, [projection], subscriptions, signal), way: 'apart' });
  }
  const differences: RowDifference[] = [];
  for (const table of TABLES) {
    signal.throwIfAborted();
    differences.push(...(await differencesIn(trx, table)));
  }
  return {
    tables: TABLES.length,
    rows: await countRows(trx),
    differences,
    stoppedStreams: await countStopped(trx),
  };
};

const batchOf = (
  part: LogPart,
  projections: readonly Projection[],
  subscriptions: ProjectorParts['subscriptions'],
  signal: AbortSignal,
) => ({
  ...({ schema: 'read_rebuild', projections, part } as const),
  isSkipped: (stop: StreamStop) => isSkipped(subscriptions, stop, signal),
});

type Pair = { readonly serving: JsonObject | null; readonly built: JsonObject | null };

const differencesIn = async (
  trx: Transaction<ReadTables>,
  { name, key }: Table,
): Promise<readonly RowDifference[]> => {
  const { rows } = await sql<Pair>`
    select to_jsonb(serving) as serving, to_jsonb(built) as built
    from ${sql.table(`read.${name}`)} as serving
    full join ${sql.table(`read_rebuild.${name}`)} as built using (${sql.join(key.map((column) => sql.ref(column)))})
    where row(serving.*) is distinct from row(built.*) limit ${DIFFERENCES_MAX}`.execute(trx);
  return rows.flatMap(({ serving, built }): readonly RowDifference[] => {
    const row = serving ?? built;
    if (!row) return [];
    const ofKey = Object.fromEntries(key.map((column) => [column, ownMember(row, column) ?? null]));
    const columns =
      serving && built
        ? Object.keys(row).filter((one) => !isSame(ownMember(serving, one), ownMember(built, one)))
        : [];
    return [
      {
        table: name,
        key: ofKey,
        columns,
        change: serving && built ? 'changed' : serving ? 'added' : 'removed',
      },
    ];
  });
};

/** JSON of PostgreSQL has its members in one order. */
const isSame = (one: Json | undefined, other: Json | undefined): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

const countRows = async (trx: Transaction<ReadTables>): Promise<number> => {
  let count = 0;
  for (const { name } of TABLES) {
    const { rows } = await sql<{ readonly rows: bigint }>`
      select count(*) as rows from ${sql.table(`read.${name}`)}`.execute(trx);
    count += Number(rows[0]?.rows ?? 0);
  }
  return count;
};

const countStopped = async (trx: Transaction<ReadTables>): Promise<number> => {
  const { rows } = await sql<{ readonly streams: bigint }>`
    select count(distinct stream) as streams from read.stopped_stream`.execute(trx);
  return Number(rows[0]?.streams ?? 0);
};
