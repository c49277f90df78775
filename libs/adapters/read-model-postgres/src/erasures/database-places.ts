import { codeOf } from '@app/kernel';
import type { ErasedContent, ErasurePlace, EventLog } from '@app/ports';
import { type RawBuilder, sql } from 'kysely';
import type { ReadModelDatabase } from '../database.js';
import { inTurnForAll } from '../in-turn.js';
import type { SearchDigests } from '../projections/audit-events/losses.js';
import { isLockTimeout } from '../projector/stopped-streams.js';
import { withoutKeyed } from '../requests/claim-each.js';
import { eraseAuditRows } from './audit-rows.js';

type Db = ReadModelDatabase['db'];

/**
 * The places of a database that can hold content in clear or what was derived from it. All other tables hold ids, counts
 * and sizes; deliveries to webhooks and blobs are read through the keys, or are ciphertext.
 */
export const databasePlaces = (
  { db }: Pick<ReadModelDatabase, 'db'>,
  log: Pick<EventLog, 'readForwards'>,
  digests: SearchDigests,
): readonly ErasurePlace[] => [
  { name: 'session-descriptions', erase: (content) => eraseDescriptions(db, content) },
  { name: 'audit-rows', erase: (content) => eraseAuditRows(db, log, digests, content) },
  { name: 'kept-answers', erase: (content) => eraseAnswers(db, content) },
  { name: 'gateway-conversations', erase: (content) => eraseConversations(db, content) },
  // The most expensive part, and as good for all erasures that have come so far.
  { name: 'database-pages', erase: inTurnForAll(() => rewritePages(db)) },
  { name: 'write-ahead-log', erase: inTurnForAll(() => endWriteAheadLog(db)) },
];

/** Titles, projects and labels. A projector reads and writes rows while it holds its checkpoint, which is locked before. */
const eraseDescriptions = (db: Db, { tenant, descriptions }: ErasedContent): Promise<number> =>
  db.transaction().execute(async (trx) => {
    await sql`select 1 from read.projection_checkpoint where projection = 'sessions' for update`.execute(trx);
    const { numAffectedRows = 0n } = await sql`update read.sessions
      set title = null, project = null, labels = '{}'
      where tenant = ${tenant} and session = any(${[...descriptions]})
        and (title is not null or project is not null or labels <> '{}')`.execute(trx);
    return Number(numAffectedRows);
  });

/**
 * Answers to keyed requests, where they hold text. Which sessions they are about is not known: all of the tenant. A
 * repeated request is executed again, and what it had recorded is not recorded twice. Answers with text that are still to
 * come are not kept: requests that are being executed are marked by `headers`. Digests of requests go with the tenant's key.
 */
const eraseAnswers = async (db: Db, { tenant, target }: ErasedContent): Promise<number> => {
  if (target.scope === 'tenant')
    await sql`update idempotency_key as known set request = ${withoutKeyed(sql`known.request`)}
      ${inOrder(tenant, sql`true`)}`.execute(db);
  await sql`update idempotency_key as known set headers = '{}' ${inOrder(tenant, sql`status is null`)}`.execute(
    db,
  );
  const { numAffectedRows = 0n } = await sql`update idempotency_key as known
    set status = null, headers = null, body = null, holder = gen_random_uuid(), leased_until = now()
    ${inOrder(tenant, sql`starts_with(body, 'sealed.')`)}`.execute(db);
  return Number(numAffectedRows);
};

/** The rows that an update concerns, locked in the order in which answers to several requests lock them. */
const inOrder = (tenant: string, which: RawBuilder<unknown>) => sql`from (
    select tenant, key from idempotency_key where tenant = ${tenant} and ${which} order by tenant, key for update
  ) as one where known.tenant = one.tenant and known.key = one.key`;

/**
 * Digests of histories, by which the gateway finds the session of a client. Those of a session or subject stay: without them,
 * the client's next request would open a new session with all that the client still remembers. They lead nowhere without the
 * tenant's key.
 */
const eraseConversations = async (db: Db, { tenant, target }: ErasedContent): Promise<number> => {
  if (target.scope !== 'tenant') return 0;
  const { numAffectedRows = 0n } =
    await sql`delete from gateway_conversation where tenant = ${tenant}`.execute(db);
  await sql`delete from gateway_name where tenant = ${tenant}`.execute(db);
  return Number(numAffectedRows);
};

/** Tables whose rows held keys or content. */
const REWRITTEN = [
  'keys.content_key',
  'keys.tenant_key',
  'keys.former_tenant_key',
  'read.sessions',
  'read.audit_events',
  'idempotency_key',
] as const;
/** Bytes of a table that is rewritten at once, which locks it; the space of a larger one is freed beside other work. */
const REWRITTEN_MAX = 64 * 1_048_576;

/** A rewrite waits no longer for the table: all that comes after it waits with it. */
const LOCK_TIMEOUT = '1s';
const REWRITES_MAX = 3;

/** Updated and deleted rows stay in the pages of their table until these are rewritten. Returns the number of tables that were. */
const rewritePages = async (db: Db): Promise<number> => {
  let rewritten = 0;
  for (const name of REWRITTEN) {
    const { rows } = await sql<{ readonly is_small: boolean }>`
      select pg_total_relation_size(${name}::regclass) <= ${REWRITTEN_MAX} as is_small`.execute(db);
    if (rows[0]?.is_small && (await rewrite(db, name))) rewritten += 1;
    else await sql`vacuum ${sql.table(name)}`.execute(db);
  }
  return rewritten;
};

/** Returns whether it was rewritten: a transaction that reads it for long, such as a backup's, prevents that. */
const rewrite = (db: Db, table: string): Promise<boolean> =>
  db.connection().execute(async (connection) => {
    await sql`set lock_timeout = ${sql.lit(LOCK_TIMEOUT)}`.execute(connection);
    try {
      for (let left = REWRITES_MAX; left > 0; left -= 1) {
        try {
          await sql`vacuum (full) ${sql.table(table)}`.execute(connection);
          return true;
        } catch (error) {
          if (!isLockTimeout(error)) throw error;
        }
      }
      return false;
    } finally {
      await sql`reset lock_timeout`.execute(connection);
    }
  });

/**
 * Begins a new segment and lets the server drop those before. Returns 1; 0 where the server has not granted it, and old segments
 * go as it is configured.
 */
const endWriteAheadLog = async (db: Db): Promise<number> => {
  try {
    await sql`select pg_switch_wal()`.execute(db);
    await sql`checkpoint`.execute(db);
    return 1;
  } catch (error) {
    if (codeOf(error) === FORBIDDEN) return 0;
    throw error;
  }
};

/** PostgreSQL's code for a lack of permission. */
const FORBIDDEN = '42501';
