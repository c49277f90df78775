import { AppError } from '@app/kernel';
import { type Kysely, sql } from 'kysely';
import type { ReadModelTables } from '../tables.js';

type Db = Kysely<ReadModelTables>;

/**
 * Notes in a migrated database that a restore into it begins, before its first write, or goes on.
 *
 * @param backup names the backup.
 * @param requireEmpty throws if there is data; not called if an earlier run with the same backup was stopped.
 * @throws {AppError} `restore-unfinished` if the earlier run was with another backup.
 */
export const beginRestore = async (
  db: Db,
  backup: string,
  requireEmpty: () => Promise<void>,
): Promise<void> => {
  const earlier = await backupInRestore(db);
  if (earlier === undefined) {
    await requireEmpty();
    await sql`insert into restore_run (backup) values (${backup})`.execute(db);
  } else if (earlier !== backup)
    throw new AppError(
      'restore-unfinished',
      'a restore of another backup into this place was stopped: run it again with that backup, or name an empty place',
    );
};

export const endRestore = async (db: Db): Promise<void> => {
  await sql`delete from restore_run`.execute(db);
};

/** @throws {AppError} `restore-unfinished` where a restore was stopped. */
export const requireNoRestore = async (db: Db): Promise<void> => {
  if ((await backupInRestore(db)) === undefined) return;
  throw new AppError(
    'restore-unfinished',
    'a restore into this place was stopped: run `palimpsest restore` with the same backup again, which goes on',
  );
};

const backupInRestore = async (db: Db): Promise<string | undefined> => {
  // An older version of the schema has no such table.
  const { rows: tables } = await sql<{
    found: string | null;
  }>`select to_regclass('restore_run')::text as found`.execute(db);
  if (tables[0]?.found === null) return undefined;
  const { rows } = await sql<{ backup: string }>`select backup from restore_run`.execute(db);
  return rows[0]?.backup;
};
