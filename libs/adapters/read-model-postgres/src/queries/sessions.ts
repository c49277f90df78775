import { IsoTime, invariant, type MessageId, pick, Revision, SessionId, TenantId } from '@app/kernel';
import type {
  DescriptionFilter,
  IdleSession,
  LabelGroup,
  MessagePlace,
  SessionFilter,
  SessionPage,
  SessionPlace,
  SessionQuery,
  SessionSort,
  SessionSummary,
} from '@app/ports';
import {
  type Expression,
  type ExpressionBuilder,
  type Kysely,
  type RawBuilder,
  type SqlBool,
  sql,
} from 'kysely';
import type { ReadTables } from '../rows/read-tables.js';
import { storableJson, storableText } from '../rows/storable.js';
import type { TenantRows } from '../tenancy/tenant-rows.js';
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
  const { state, parent, minOccupancy, title } = filter;
  return [
    ...descriptionConditions(filter, (read) => sql`${read(filter)}`),
    ...(state === undefined ? [] : [eb('state', '=', state)]),
    ...(parent === undefined ? [] : [eb('parent', '=', parent)]),
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
  ...pick(row, 'title', 'agent', 'project'),
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

/** Returns the text of a value of the filter, or a placeholder for it. */
type PlaceOf<Filter> = (read: (filter: Filter) => string | undefined) => RawBuilder<unknown>;

/**
 * Returns the conditions of a filter on columns of `read.sessions`.
 *
 * @param place makes the value of a condition from a function that reads it, so that a cached statement can hold its place.
 */
export const descriptionConditions = <Filter extends DescriptionFilter>(
  filter: DescriptionFilter,
  place: PlaceOf<Filter>,
): readonly RawBuilder<SqlBool>[] => [
  ...(filter.agent === undefined ? [] : [sql<SqlBool>`agent = ${place(({ agent }) => stored(agent))}`]),
  ...(filter.project === undefined
    ? []
    : [sql<SqlBool>`project = ${place(({ project }) => stored(project))}`]),
  ...(filter.labels ?? []).map(({ value }, at) =>
    value === undefined
      ? sql<SqlBool>`jsonb_exists(labels, ${place(({ labels }) => stored(labels?.[at]?.name))})`
      : sql<SqlBool>`labels @> ${place(({ labels }) => memberText(labels?.[at]))}::jsonb`,
  ),
];

/** Returns the key of a filter's conditions for cached statements: which are given, without their values. */
export const descriptionShape = ({ agent, project, labels = [] }: DescriptionFilter): string =>
  [
    ...(agent === undefined ? [] : ['agent']),
    ...(project === undefined ? [] : ['project']),
    ...labels.map(({ value }) => (value === undefined ? 'label' : 'label=value')),
  ].join();

export const isDescribed = (filter: DescriptionFilter): boolean => descriptionShape(filter) !== '';

const stored = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : storableText(text);
const memberText = (label: { readonly name: string; readonly value?: string } | undefined): string =>
  JSON.stringify(storableJson(label === undefined ? {} : { [label.name]: label.value }));

/** Returns the label of a dimension: its name after `label:`, or that of a user or customer. */
export const labelOf = (by: 'user' | 'customer' | LabelGroup): string =>
  storableText(by.startsWith('label:') ? by.slice('label:'.length) : by);

export const isLabelGroup = (by: string): by is 'user' | 'customer' | LabelGroup =>
  by === 'user' || by === 'customer' || by.startsWith('label:');

const SESSIONS_MAX = 1_000;

/** As the index `sessions_idle` has it (migration 0028): without parameters, so that PostgreSQL sees that they agree. */
const IS_LARGE_ENOUGH = sql<boolean>`idle_after_minutes > 0 and not closed and window_tokens > 0
  and occupancy >= idle_at * window_tokens`;

/** Returns idle sessions by their own profiles, latest first, at most 1,000. */
export const idleSessions = async (db: Kysely<ReadTables>, now: IsoTime): Promise<readonly IdleSession[]> => {
  const rows = await db
    .selectFrom('sessions')
    .select(['tenant', 'session', 'revision'])
    .where(IS_LARGE_ENOUGH)
    .where(
      'updated_at',
      '<=',
      sql<Date>`${now}::timestamptz - make_interval(mins => idle_after_minutes::int)`,
    )
    .orderBy('updated_at', 'desc')
    .limit(SESSIONS_MAX)
    .execute();
  return rows.map(({ tenant, session, revision }) => ({
    tenant: TenantId(tenant),
    session: SessionId(session),
    revision: Number(revision),
  }));
};

/** Returns the revision of a message, and the revision up to which the rows are complete: two index lookups. */
export const messageRevision = async (
  rowsOf: TenantRows,
  { tenant, session }: { readonly tenant: TenantId; readonly session: SessionId },
  id: MessageId,
): Promise<MessagePlace> => {
  const rows = rowsOf(tenant)
    .selectFrom('audit_events')
    .select('revision')
    .where('tenant', '=', tenant)
    .where('session', '=', session);
  // Reads the newest row first: later events are then found in the log.
  const newest = await rows.orderBy('position', 'desc').limit(1).executeTakeFirst();
  const found = await rows
    .where('type', '=', sql.lit('MessageAppended'))
    .where(sql`payload ->> 'messageId'`, '=', id)
    .limit(1)
    .executeTakeFirst();
  return {
    revision: found && Revision(Number(found.revision)),
    upTo: newest && Revision(Number(newest.revision)),
  };
};
