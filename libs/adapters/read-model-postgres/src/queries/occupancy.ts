import { isSessionEventType } from '@app/domain';
import { IsoTime, pick, Revision } from '@app/kernel';
import type {
  Activity,
  ActivityQuery,
  Milestone,
  MilestoneQuery,
  OccupancyBin,
  OccupancyQuery,
} from '@app/ports';
import { sql } from 'kysely';
import type { TenantRows } from '../tenancy/tenant-rows.js';

const BIN = [
  sql<bigint>`max(revision)`.as('revision'),
  sql<Date>`(array_agg(recorded_at order by revision desc))[1]`.as('at'),
  sql<bigint>`(array_agg(occupancy order by revision desc))[1]`.as('occupancy'),
  sql<bigint>`min(occupancy)`.as('min'),
  sql<bigint>`max(occupancy)`.as('max'),
] as const;

type BinRow = {
  readonly revision: bigint;
  readonly at: Date;
  readonly occupancy: bigint;
  readonly min: bigint;
  readonly max: bigint;
};

const binOf = (row: BinRow): OccupancyBin => ({
  revision: Revision(Number(row.revision)),
  at: IsoTime(row.at),
  occupancy: Number(row.occupancy),
  min: Number(row.min),
  max: Number(row.max),
});

/** Reads each row of the session once, for any number of bins. */
export const occupancySeries = async (
  rowsOf: TenantRows,
  { tenant, session, from, to, width }: OccupancyQuery,
): Promise<readonly OccupancyBin[]> => {
  const rows = await rowsOf(tenant)
    .selectFrom('audit_events')
    .select(BIN)
    .where('tenant', '=', tenant)
    .where('session', '=', session)
    .where('occupancy', 'is not', null)
    .where('revision', '>=', BigInt(from))
    .where('revision', '<=', BigInt(to))
    .groupBy(sql`(revision - ${from}) / ${width}::bigint`)
    .orderBy('revision')
    .execute();
  return rows.map(binOf);
};

const IDLE_MAX = 200;

/** Reads each row of the session twice: for the bins, and for the idle times. */
export const activity = async (rowsOf: TenantRows, query: ActivityQuery): Promise<Activity> => {
  const [bins, idle, total] = await Promise.all([
    activeRows(rowsOf, query)
      .selectFrom('active')
      .select(BIN)
      .select(sql<string>`max(active_ms)`.as('active_ms'))
      .where('occupancy', 'is not', null)
      .groupBy(
        sql`least(${query.bins}::int - 1, floor(active_ms * ${query.bins}::int / nullif(total_ms, 0)))`,
      )
      .orderBy('revision')
      .execute(),
    activeRows(rowsOf, query)
      .selectFrom('active')
      .select(['revision', 'before', 'recorded_at', 'active_ms'])
      .where(sql<boolean>`pause_ms > ${query.idleAfterMs}`)
      .orderBy('pause_ms', 'desc')
      .limit(IDLE_MAX)
      .execute(),
    activeRows(rowsOf, query)
      .selectFrom('active')
      .select(sql<string | null>`max(active_ms)`.as('active_ms'))
      .executeTakeFirst(),
  ]);
  return {
    activeMs: Number(total?.active_ms ?? 0),
    bins: bins.map((row) => ({ ...binOf(row), activeMs: Number(row.active_ms) })),
    idle: idle
      .map(({ revision, before, recorded_at, active_ms }) => ({
        revision: Revision(Number(revision)),
        from: IsoTime(before ?? recorded_at),
        to: IsoTime(recorded_at),
        activeMs: Number(active_ms),
      }))
      .sort((a, b) => a.revision - b.revision),
  };
};

/**
 * The events of a range, each with its time, the pause before it and the active time up to it. A message written before it was
 * recorded (an import, an outage) has the time of its writing; the events after it, and those before the first message, were
 * recorded as much later than they happened.
 */
const activeRows = (
  rowsOf: TenantRows,
  { tenant, session, from, to, idleAfterMs }: Omit<ActivityQuery, 'bins'>,
) =>
  rowsOf(tenant)
    .with('recorded', (db) =>
      db
        .selectFrom('audit_events')
        .select(['revision', 'recorded_at', 'occupancy'])
        .select(
          sql<string | null>`case when type = 'MessageAppended'
            then recorded_at - coalesce((payload->>'createdAt')::timestamptz, recorded_at) end`.as('lag'),
        )
        .select(
          sql<bigint>`count(*) filter (where type = 'MessageAppended') over (order by revision)`.as(
            'messages',
          ),
        )
        .where('tenant', '=', tenant)
        .where('session', '=', session)
        .where('revision', '>=', BigInt(from))
        .where('revision', '<=', BigInt(to)),
    )
    .with('happened', (db) =>
      db
        .selectFrom('recorded')
        .select(['revision', 'occupancy'])
        .select(
          sql<Date>`recorded_at - coalesce(max(lag) over (partition by greatest(messages, 1)), interval '0')`.as(
            'recorded_at',
          ),
        ),
    )
    .with('paused', (db) =>
      db
        .selectFrom('happened')
        .select(['revision', 'recorded_at', 'occupancy'])
        .select(sql<Date | null>`lag(recorded_at) over (order by revision)`.as('before'))
        .select(
          sql<string>`greatest(0, coalesce(round(extract(epoch from
            recorded_at - lag(recorded_at) over (order by revision)) * 1000), 0))`.as('pause_ms'),
        ),
    )
    .with('summed', (db) =>
      db
        .selectFrom('paused')
        .selectAll()
        .select(
          sql<string>`sum(case when pause_ms > ${idleAfterMs} then 0 else pause_ms end) over (order by revision)`.as(
            'active_ms',
          ),
        ),
    )
    .with('active', (db) =>
      db.selectFrom('summed').selectAll().select(sql<string>`max(active_ms) over ()`.as('total_ms')),
    );

export const milestones = async (
  rowsOf: TenantRows,
  { tenant, session, types }: MilestoneQuery,
): Promise<readonly Milestone[]> => {
  const rows = await rowsOf(tenant)
    .selectFrom('audit_events')
    .select(['revision', 'recorded_at', 'type', 'compaction', 'trigger', 'profile', 'payload'])
    .where('tenant', '=', tenant)
    .where('session', '=', session)
    .where('type', 'in', types)
    .orderBy('position')
    .execute();
  return rows.flatMap(({ type, ...row }) =>
    isSessionEventType(type)
      ? [
          {
            revision: Revision(Number(row.revision)),
            at: IsoTime(row.recorded_at),
            type,
            compactionId: row.compaction,
            ...pick(row, 'trigger', 'profile', 'payload'),
          },
        ]
      : [],
  );
};
