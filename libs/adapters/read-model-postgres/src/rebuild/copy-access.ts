import { sql, type Transaction } from 'kysely';
import type { ReadTables } from '../rows/read-tables.js';

/**
 * Copies grants, policies and row-level security to a new table, which `like` does not copy. Policies may refer to
 * the row and to settings, not to other tables.
 */
export const copyAccess = async (trx: Transaction<ReadTables>, table: string): Promise<void> => {
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
  where c.oid = ${serving(table)} and acl.grantee <> c.relowner`;

const securityOf = (table: string) => sql`
  select format('alter table read_rebuild.%I %s row level security', c.relname, kind.name)
  from pg_class as c, (values ('enable'), ('force')) as kind (name)
  where c.oid = ${serving(table)}
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
  where c.oid = ${serving(table)}`;

const serving = (table: string) => sql`${`read.${table}`}::regclass`;
