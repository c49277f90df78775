import type { AuditGroup, AuditTotals, AuditTotalsQuery } from '@app/ports';
import { type Compilable, type Expression, type ExpressionBuilder, type Kysely, sql } from 'kysely';
import type { SearchDigests } from '../../projections/audit-events/losses.js';
import type { ReadTables } from '../../rows/read-tables.js';
import { asked, StatementShapes } from '../../tenancy/statement-shapes.js';
import type { TenantRows } from '../../tenancy/tenant-rows.js';
import { isLabelGroup, labelOf } from '../sessions.js';
import { isOfTimeAlone, passes, type Searchable, searchable, shapeOf } from './audit-filter.js';

const GROUPS_MAX = 1_000;

type SearchableTotalsQuery = Searchable<AuditTotalsQuery>;

/** Days in their order, others by their number, the largest first. */
export const auditTotals = async (
  rowsOf: TenantRows,
  digests: SearchDigests,
  named: AuditTotalsQuery,
): Promise<AuditTotals> => {
  const query = await searchable(named, digests);
  const own = rowsOf(query.tenant);
  const shape = `${query.by.startsWith('label:') ? 'label' : query.by} ${shapeOf(query)}`;
  const { rows } = await own.executeQuery(TOTALS.statement(shape, query, () => totalsOf(own, query)));
  return {
    events: Number(rows[0]?.all ?? 0n),
    groups: rows.map(({ key, events }) => ({ key, events: Number(events) })),
    omittedGroups: Math.max(0, Number(rows[0]?.groups ?? 0n) - rows.length),
  };
};

type TotalsRow = {
  readonly key: string | null;
  readonly events: bigint;
  readonly all: bigint;
  readonly groups: bigint;
};

const TOTALS = new StatementShapes<SearchableTotalsQuery, TotalsRow>();

/** Returns the statement of totals, with placeholders for values. */
const totalsOf = (
  own: Kysely<ReadTables>,
  { by, ...filter }: SearchableTotalsQuery,
): Compilable<TotalsRow> => {
  // The index by time has all that is counted but the session: no row is fetched. Other filters have indexes by place.
  const reading = isOfTimeAlone(filter) && !isOfSession(by) ? 'by-time' : 'by-position';
  return own
    .selectFrom('audit_events')
    .select((eb) => [
      sql<string | null>`${keyOf(by)(eb)}`.as('key'),
      eb.fn.countAll<bigint>().as('events'),
      sql<bigint>`(sum(count(*)) over ())::bigint`.as('all'),
      sql<bigint>`count(*) over ()`.as('groups'),
    ])
    .where(passes(filter, reading))
    .groupBy(sql.lit(1))
    .orderBy(by === 'day' ? sql.lit(1) : sql`2 desc, 1`)
    .limit(GROUPS_MAX);
};

/** Whether the group of a row follows from its session. */
const isOfSession = (by: AuditGroup): boolean =>
  by === 'session' || by === 'agent' || by === 'project' || isLabelGroup(by);

const keyOf =
  (by: AuditGroup) =>
  (eb: ExpressionBuilder<ReadTables, 'audit_events'>): Expression<string | null> => {
    if (by === 'day') return sql`(recorded_at at time zone 'UTC')::date`;
    const session = eb
      .selectFrom('sessions')
      .whereRef('sessions.tenant', '=', 'audit_events.tenant')
      .whereRef('sessions.session', '=', 'audit_events.session');
    if (by === 'agent' || by === 'project') return session.select(`sessions.${by}`).$asScalar();
    if (!isLabelGroup(by)) return sql`${sql.ref(by)}`;
    const label = asked((query: SearchableTotalsQuery) => (isLabelGroup(query.by) ? labelOf(query.by) : ''));
    return session.select(sql<string | null>`sessions.labels ->> ${label}`.as('value')).$asScalar();
  };
