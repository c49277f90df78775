import { IsoTime, invariant, LogPosition, pick, SessionId, type TenantId } from '@app/kernel';
import type { AuditQuery, AuditRow, AuditSort } from '@app/ports';
import { type Compilable, type Kysely, type Selectable, type SqlBool, sql } from 'kysely';
import type { SearchDigests } from '../../projections/audit-events/losses.js';
import type { ReadTables } from '../../rows/read-tables.js';
import { asked, StatementShapes } from '../../tenancy/statement-shapes.js';
import type { TenantRows } from '../../tenancy/tenant-rows.js';
import { isDescribed } from '../sessions.js';
import { isOfFew, isOfTypesAlone, passes, type Searchable, searchable, shapeOf } from './audit-filter.js';

const ROWS_MAX = 1_000;

type SearchableQuery = Searchable<AuditQuery>;

/** In the order that is asked for. Pages go by the place of the last row, not by an offset. */
export const auditPage = async (
  rowsOf: TenantRows,
  digests: SearchDigests,
  named: AuditQuery,
): Promise<readonly AuditRow[]> => {
  const query = await searchable(named, digests);
  const { sort = '-position', limit, tenant } = query;
  invariant(Number.isSafeInteger(limit) && limit >= 0, `a limit is a whole number from 0, got ${limit}`);
  // Every index is in log order; the only one in time order is not selective. None has the metadata of sessions.
  const isSorted = isDescribed(query) || (isByTime(sort) && isOfFew(query));
  const own = rowsOf(tenant, isSorted ? 'by-index' : 'in-order');
  const shape = `${sort} ${shapeOf(query)}`;
  const { rows } = await own.executeQuery(PAGES.statement(shape, query, () => pageOf(own, query)));
  return rows.map((row) => ({
    position: LogPosition(row.position),
    session: row.session === null ? null : SessionId(row.session),
    revision: Number(row.revision),
    type: row.type,
    recordedAt: IsoTime(row.recorded_at),
    actor: row.actor,
    correlationId: row.correlation,
    compactionId: row.compaction,
    ...pick(row, 'trigger', 'outcome', 'profile', 'model', 'payload'),
  }));
};

const COLUMNS = [
  ...(['position', 'session', 'revision', 'type', 'recorded_at', 'actor', 'correlation'] as const),
  ...(['compaction', 'trigger', 'outcome', 'profile', 'model', 'payload'] as const),
] as const;
type PageRow = Pick<Selectable<ReadTables['audit_events']>, (typeof COLUMNS)[number]>;

const PAGES = new StatementShapes<SearchableQuery, PageRow>();

/** Returns the statement of a page, with placeholders for values. */
const pageOf = (own: Kysely<ReadTables>, query: SearchableQuery): Compilable<PageRow> => {
  const { sort = '-position', types = [] } = query;
  const direction = sort.startsWith('-') ? 'desc' : 'asc';
  const size = asked(({ limit }: SearchableQuery) => Math.min(limit, ROWS_MAX));
  const page = (typeAt?: number) => {
    let rows = own
      .selectFrom('audit_events')
      .select(COLUMNS)
      .where(passes(query, isByTime(sort) ? 'by-time' : 'by-position', typeAt));
    if (query.after) rows = rows.where(comesAfter(sort));
    if (isByTime(sort)) rows = rows.orderBy('recorded_at', direction);
    return rows.orderBy('position', direction).limit(size);
  };
  if (isByTime(sort) || !isOfTypesAlone(query)) return page();
  // An index has the rows of one type in order, but not those of several: their pages are merged.
  const [first, ...others] = types.map((_, at) => own.selectFrom(page(at).as('of_type')).selectAll());
  const merged = first && others.reduce((pages, ofType) => pages.unionAll(ofType), first);
  return merged ? merged.orderBy('position', direction).limit(size) : page();
};

const isByTime = (sort: AuditSort): boolean => sort === 'time' || sort === '-time';

const comesAfter = (sort: AuditSort) => {
  const isAfter = sort.startsWith('-') ? sql`<` : sql`>`;
  const position = asked(({ after }: SearchableQuery) => after?.position);
  const time = asked(({ after }: SearchableQuery) => after && new Date(after.recordedAt));
  return isByTime(sort)
    ? sql<SqlBool>`(recorded_at, position) ${isAfter} (${time}, ${position})`
    : sql<SqlBool>`position ${isAfter} ${position}`;
};

/** The newest row's place; `undefined` without any. */
export const auditEnd = async (rowsOf: TenantRows, tenant: TenantId): Promise<LogPosition | undefined> => {
  const row = await rowsOf(tenant)
    .selectFrom('audit_events')
    .select('position')
    .where('tenant', '=', tenant)
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row && LogPosition(row.position);
};
