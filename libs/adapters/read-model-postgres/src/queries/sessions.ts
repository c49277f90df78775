import { IsoTime, invariant, SessionId, type TenantId } from '@app/kernel';
import type {
  SessionFilter,
  SessionPage,
  SessionPlace,
  SessionQuery,
  SessionSort,
  SessionSummary,
} from '@app/ports';
import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import type { ReadTables } from '../rows/read-tables.js';
import { storableText } from '../rows/storable.js';
import type { TenantRows } from '../tenancy/tenant-rows.js';
import { descriptionConditions } from './descriptions.js';
import { ROWS_MAX } from './page.js';

/** Newest activity first, the newest thousand. */
export const sessionsOf = async (rowsOf: TenantRows, tenant: TenantId): Promise<readonly SessionSummary[]> =>
  (await sessionPage(rowsOf, { tenant, limit: ROWS_MAX })).items;

/** Returns one page of a tenant's sessions; one more row is read to detect a next page. */
export const sessionPage = async (
  rowsOf: TenantRows,
  { tenant, sort = '-lastActivity', after, limit, ...filter }: SessionQuery,
): Promise<SessionPage> => {
  invariant(Number.isSafeInteger(limit) && limit > 0, `a page has a row at least, not ${limit}`);
  const size = Math.min(limit, ROWS_MAX);
  const { column, direction } = ORDERS[sort];
  let query = rowsOf(tenant)
    .selectFrom('sessions')
    .select(['session', 'title', 'agent', 'project', 'labels', 'turns', 'messages', 'occupancy'])
    .select(['window_tokens', 'state', 'compactions', 'revision', 'profile', 'model'])
    .select(['opened_at', 'updated_at', 'position'])
    .where('tenant', '=', tenant)
    .where((eb) => eb.and(conditionsOf(filter, eb)));
  if (after) query = query.where(behind(sort, after));
  query = query.orderBy(column, direction);
  // A place in the log is of one session alone.
  if (column !== 'position') query = query.orderBy('session', direction);
  const rows = await query.limit(size + 1).execute();
  const items = rows.slice(0, size);
  const last = items.at(-1);
  const next = rows.length > size && last ? placeOf(sort, last) : null;
  return { items: items.map(summaryOf), next };
};

const ORDERS = {
  '-lastActivity': { column: 'position', direction: 'desc' },
  lastActivity: { column: 'position', direction: 'asc' },
  '-occupancy': { column: 'occupancy', direction: 'desc' },
  occupancy: { column: 'occupancy', direction: 'asc' },
  '-opened': { column: 'opened_at', direction: 'desc' },
  opened: { column: 'opened_at', direction: 'asc' },
} as const satisfies Record<SessionSort, { readonly column: string; readonly direction: 'asc' | 'desc' }>;

type Builder = ExpressionBuilder<ReadTables, 'sessions'>;

const conditionsOf = (filter: SessionFilter, eb: Builder): Expression<SqlBool>[] => {
  const { state, minOccupancy, title } = filter;
  return [
    ...descriptionConditions(filter, (read) => sql`${read(filter)}`),
    ...(state === undefined ? [] : [eb('state', '=', state)]),
    ...(minOccupancy === undefined ? [] : [eb('occupancy', '>=', BigInt(minOccupancy))]),
    ...(title === undefined
      ? []
      : [sql<SqlBool>`position(lower(${storableText(title)}) in lower(title)) > 0`]),
  ];
};

/** Returns the condition for rows after a position, in sort order. */
const behind = (sort: SessionSort, { value, session }: SessionPlace): Expression<SqlBool> => {
  const { column, direction } = ORDERS[sort];
  const beyond = sql.raw(direction === 'desc' ? '<' : '>');
  if (column === 'position') return sql<SqlBool>`position ${beyond} ${BigInt(value)}`;
  const given = column === 'occupancy' ? BigInt(value) : new Date(value);
  return sql<SqlBool>`(${sql.ref(column)}, session) ${beyond} (${given}, ${session})`;
};

type Row = Pick<
  ReadTables['sessions'],
  | ('session' | 'title' | 'agent' | 'project' | 'labels' | 'turns' | 'messages' | 'occupancy')
  | ('window_tokens' | 'state' | 'compactions' | 'revision' | 'profile' | 'model')
  | ('opened_at' | 'updated_at' | 'position')
>;
const placeOf = (sort: SessionSort, row: Row): SessionPlace => {
  const value = row[ORDERS[sort].column];
  return {
    value: value instanceof Date ? value.toISOString() : value.toString(),
    session: SessionId(row.session),
  };
};

const summaryOf = (row: Row): SessionSummary => ({
  session: SessionId(row.session),
  title: row.title,
  agent: row.agent,
  project: row.project,
  labels: Object.fromEntries(Object.entries(row.labels).map(([name, value]) => [name, String(value)])),
  turns: Number(row.turns),
  messages: Number(row.messages),
  occupancy: Number(row.occupancy),
  window: Number(row.window_tokens),
  state: row.state,
  compactions: Number(row.compactions),
  revision: Number(row.revision),
  profile: row.profile,
  model: row.model,
  openedAt: IsoTime(row.opened_at),
  lastActivityAt: IsoTime(row.updated_at),
});
