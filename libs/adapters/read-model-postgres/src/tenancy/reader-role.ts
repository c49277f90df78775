import { AppError } from '@app/kernel';
import { type Kysely, sql } from 'kysely';
import type { ReadModelTables } from '../tables.js';

/** The role for reads of a tenant. It owns no table, so that policies apply to it. */
export const READER = 'palimpsest_reader';

/**
 * Ensures that the reader role exists, that the service's role may switch to it, and that no policy exempts it.
 *
 * @throws {AppError} `invalid-configuration` with the statements that a privileged user has to run.
 */
export const requireReader = async (db: Kysely<ReadModelTables>): Promise<void> => {
  let reader = await lookAt(db);
  if (!reader?.is_ours) {
    await createReader(db);
    reader = await lookAt(db);
  }
  if (reader?.passes === false) return;
  const text = `the role ${READER} of the database sees the rows of all tenants`;
  throw new AppError(
    'invalid-configuration',
    `${text}: have a superuser run alter role ${READER} nosuperuser nobypassrls`,
  );
};

type Reader = { readonly is_ours: boolean; readonly passes: boolean };

const lookAt = async (db: Kysely<ReadModelTables>): Promise<Reader | undefined> => {
  // Before version 16 every member may become the role.
  const { rows } = await sql<Reader>`
    select rolsuper or rolbypassrls as passes, pg_has_role(oid,
      case when current_setting('server_version_num')::integer < 160000 then 'member' else 'set' end) as is_ours
    from pg_roles where rolname = ${READER}`.execute(db);
  return rows[0];
};

const createReader = async (db: Kysely<ReadModelTables>): Promise<void> => {
  const reader = sql.id(READER);
  try {
    // Roles are of all databases of a server: another one may be creating it now.
    await sql`do $$ begin
      if not exists (select from pg_roles where rolname = ${sql.lit(READER)}) then create role ${reader} nologin; end if;
    exception when duplicate_object or unique_violation then null;
    end $$`.execute(db);
    await sql`grant ${reader} to current_user`.execute(db);
  } catch (error) {
    if (!isRefused(error)) throw error;
    const statements = `create role ${READER} nologin; grant ${READER} to the role of PALIMPSEST_POSTGRES_URL`;
    const text = `the role of PALIMPSEST_POSTGRES_URL cannot read as ${READER}, which sees one tenant at a time`;
    throw new AppError('invalid-configuration', `${text}: have a superuser run ${statements}`, {
      cause: error,
    });
  }
};

/** `insufficient_privilege`. */
const isRefused = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && Reflect.get(error, 'code') === '42501';
