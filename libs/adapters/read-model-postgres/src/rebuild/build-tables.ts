import { type Kysely, sql, type Transaction } from 'kysely';
import type { Projection } from '../projections/projection.js';
import type { ReadTables } from '../rows/read-tables.js';

/** Creates empty tables for projections beside the serving ones, with the same definition. */
export const createTables = (db: Kysely<ReadTables>, projections: readonly Projection[]): Promise<void> =>
  db.transaction().execute(async (trx) => {
    await dropTables(trx); // What a rebuild left that was cut short.
    await sql`create schema read_rebuild`.execute(trx);
    for (const table of [
      'projection_checkpoint',
      'stopped_stream',
      ...projections.flatMap(({ tables }) => tables),
    ]) {
      await sql`create table ${building(table)} (like ${serving(table)} including all)`.execute(trx);
    }
    const rows = projections.map(({ name }) => ({ projection: name, events: 0n, position: null }));
    await trx
      .withSchema('read_rebuild')
      .insertInto('projection_checkpoint')
      .values(rows.map((row) => ({ ...row, updated_at: null })))
      .execute();
  });

export const dropTables = async (db: Kysely<ReadTables>): Promise<void> => {
  await sql`drop schema if exists read_rebuild cascade`.execute(db);
};

/** Replaces the serving tables of a projection by the new ones, and returns their number of rows. */
export const exchangeTables = async (
  trx: Transaction<ReadTables>,
  { tables }: Projection,
): Promise<number> => {
  const { rows } = await sql<{ rows: bigint }>`
    select count(*) as rows from ${building(tables[0])}`.execute(trx);
  for (const table of tables) {
    await copyAccess(trx, table);
    await sql`drop table ${serving(table)}`.execute(trx);
    await sql`alter table ${building(table)} set schema read`.execute(trx);
  }
  return Number(rows[0]?.rows ?? 0n);
};

/** The same with its checkpoint, and with the streams that it stops; returns how many events were counted. */
export const exchangeCheckpoint = async (
  trx: Transaction<ReadTables>,
  { name }: Projection,
): Promise<number> => {
  const { rows } = await sql<{ events: bigint }>`
    update read.projection_checkpoint as c
    set position = b.position, events = b.events, updated_at = clock_timestamp()
    from read_rebuild.projection_checkpoint as b
    where c.projection = ${name} and b.projection = ${name}
    returning c.events`.execute(trx);
  await sql`delete from read.stopped_stream where projection = ${name}`.execute(trx);
  await sql`insert into read.stopped_stream
    select * from read_rebuild.stopped_stream where projection = ${name}`.execute(trx);
  return Number(rows[0]?.events ?? 0n);
};

const serving = (table: string) => sql.table(`read.${table}`);
const building = (table: string) => sql.table(`read_rebuild.${table}`);

/**
 * Copies grants, policies and row-level security to a new table, which `like` does not copy. Policies may refer to
 * the row and to settings, not to other tables.
 */
const copyAccess = async (trx: Transaction<ReadTables>, table: string): Promise<void> => {
  const { rows } = await sql<{ statement: string }>`
    select statement from (${grantsOn(table)} union all ${securityOf(table)} union all ${policiesOf(table)}) as all_of_it`.execute(
    trx,
  );
  for (const { statement } of rows) await sql.raw(statement).execute(trx);
};

const grantsOn = (table: string) => sql`
  select format('grant %s on read_rebuild.%I to %s%s', acl.privilege_type, c.relname,
    case acl.grantee when 0 then 'public' else quote_ident(pg_get_userbyid(acl.grantee)) end,
    case when acl.is_grantable then ' with grant option' else '' end) as statement
  from pg_class as c, aclexplode(c.relacl) as acl
  where c.oid = ${classOf(table)} and acl.grantee <> c.relowner`;

const securityOf = (table: string) => sql`
  select format('alter table read_rebuild.%I %s row level security', c.relname, kind.name)
  from pg_class as c, (values ('enable'), ('force')) as kind (name)
  where c.oid = ${classOf(table)}
    and case kind.name when 'enable' then c.relrowsecurity else c.relforcerowsecurity end`;

const policiesOf = (table: string) => sql`
  select format('create policy %I on read_rebuild.%I as %s for %s to %s', p.polname, c.relname,
      case when p.polpermissive then 'permissive' else 'restrictive' end,
      case p.polcmd when 'r' then 'select' when 'a' then 'insert' when 'w' then 'update' when 'd' then 'delete'
        else 'all' end,
      (select string_agg(case role when 0 then 'public' else quote_ident(pg_get_userbyid(role)) end, ', ')
        from unnest(p.polroles) as role))
    || coalesce(' using (' || pg_get_expr(p.polqual, p.polrelid) || ')', '')
    || coalesce(' with check (' || pg_get_expr(p.polwithcheck, p.polrelid) || ')', '')
  from pg_policy as p join pg_class as c on c.oid = p.polrelid
  where c.oid = ${classOf(table)}`;

const classOf = (table: string) => sql`${`read.${table}`}::regclass`;
