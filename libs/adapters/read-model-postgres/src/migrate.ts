import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError, invariant } from '@app/kernel';
import { installed } from '@app/ports';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { ReadModelTables } from './tables.js';
import { requireReader } from './tenancy/reader-role.js';

/** Advisory lock id: the first bytes of the SHA-256 of `palimpsest migrations`. */
const LOCK = 414_268_162_999_134_819n;
const VERSION_MIN = 150_000;

/**
 * Applies missing migrations and returns their names. Safe to run concurrently: each migration is applied once, in
 * one transaction with its row in `schema_migration`.
 * There are no down migrations: fix forward.
 *
 * @param folder with files `NNNN_name.sql`; a file may contain several statements, but none that ends a transaction.
 *   @throws {AppError} `postgres-newer` if the database has unknown migrations; `migration-changed` if an applied one
 *   has changed; `invalid-configuration` if the tenants' reader role is missing and cannot be created.
 */
export const migrate = async (
  db: Kysely<ReadModelTables>,
  folder: string = installed('migrations'),
): Promise<readonly string[]> => {
  const known = await readMigrations(folder);
  const names: string[] = [];
  for (;;) {
    const applied = await db
      .transaction()
      // Sees migrations that another process applied while this one waited for the lock.
      .setIsolationLevel('read committed')
      .execute((trx) => applyNext(trx, known));
    if (applied === undefined) return names;
    names.push(applied.name);
  }
};

/** Applies the first missing migration; `undefined` without one. The lock is held until the transaction ends. */
const applyNext = async (
  trx: Transaction<ReadModelTables>,
  known: readonly Migration[],
): Promise<Migration | undefined> => {
  await sql`select pg_advisory_xact_lock(${LOCK})`.execute(trx);
  await requireVersion(trx);
  await requireReader(trx);
  await sql`create table if not exists schema_migration (
    number integer primary key,
    name text not null,
    sha256 text not null,
    applied_at timestamptz not null default now()
  )`.execute(trx);
  const recorded = await trx
    .selectFrom('schema_migration')
    .select(['number', 'name', 'sha256'])
    .orderBy('number')
    .execute();
  requireSamePast(known, recorded);

  const next = known[recorded.length];
  if (next === undefined) return undefined;
  await apply(trx, next);
  const { number, name, sha256 } = next;
  await trx.insertInto('schema_migration').values({ number, name, sha256 }).execute();
  return next;
};

const apply = async (trx: Transaction<ReadModelTables>, { name, sql: text }: Migration): Promise<void> => {
  try {
    await sql.raw(text).execute(trx);
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError('internal', `migration ${name} fails: ${String(error)}`, { cause: error });
  }
};

const requireSamePast = (known: readonly Migration[], recorded: readonly Omit<Migration, 'sql'>[]): void => {
  const newest = recorded.at(-1);
  if (newest !== undefined && newest.number > known.length) {
    const text = `the database has migration ${newest.name}, and this version of Palimpsest ends at ${known.length}`;
    throw new AppError('postgres-newer', `${text}: use the newer version, or another database`);
  }
  for (const [index, { name, sha256 }] of recorded.entries()) {
    if (known[index]?.name === name && known[index].sha256 === sha256) continue;
    const text = `migration ${name} was applied to the database with another text than the file has now`;
    throw new AppError('migration-changed', `${text}: restore the file, and put the change into a new one`);
  }
};

const requireVersion = async (trx: Transaction<ReadModelTables>): Promise<void> => {
  const { rows } = await sql<{ version: number }>`
    select current_setting('server_version_num')::integer as version`.execute(trx);
  const version = rows[0]?.version ?? 0;
  if (version >= VERSION_MIN) return;
  const text = `PostgreSQL ${Math.floor(version / 10_000)} is too old`;
  throw new AppError('postgres-unavailable', `${text}: name a server of version 15 or newer`);
};

/** One step forward of the schema: `migrations/0001_blobs.sql` has the number 1 and the name `0001_blobs`. */
type Migration = {
  readonly number: number;
  readonly name: string;
  /** SHA-256 of the text with Unix line ends, in hex, so that a checkout on Windows has the same. */
  readonly sha256: string;
  readonly sql: string;
};

/** Every migration of a folder in its order. They count from 1 without a gap. */
const readMigrations = async (folder: string): Promise<readonly Migration[]> => {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(
    names.map(async (file, index) => {
      const number = Number(/^(\d{4})_[a-z0-9_]+\.sql$/.exec(file)?.[1]);
      invariant(number === index + 1, `${file} should be migration ${index + 1}, named NNNN_name.sql`);
      const sql = (await readFile(join(folder, file), 'utf8')).replaceAll('\r\n', '\n');
      const sha256 = createHash('sha256').update(sql).digest('hex');
      return { number, name: file.slice(0, -'.sql'.length), sha256, sql };
    }),
  );
};
