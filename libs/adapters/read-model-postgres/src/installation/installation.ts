import { AppError } from '@app/kernel';
import type { SecretBox } from '@app/ports';
import { sql } from 'kysely';
import { durably } from '../content-keys/tenant-keys.js';
import type { ReadModelDatabase } from '../database.js';

/** An installation, with its id sealed by its key. */
export type SealedInstallation = { readonly id: string; readonly sealed: string };

/**
 * Returns the installation that a database and its keys belong to; `undefined` for new ones.
 *
 * @throws {AppError} `installation-mismatch` if the database has keys of another installation, or none.
 */
export const installationOf = async ({
  db,
}: Pick<ReadModelDatabase, 'db'>): Promise<SealedInstallation | undefined> => {
  // An older version of the schema has no such table.
  const tables = await sql<{
    found: string | null;
  }>`select to_regclass('keys.installation')::text as found`.execute(db);
  if (tables.rows[0]?.found === null) return undefined;
  const { rows } = await sql<{ of_database: string | null; of_keys: string | null; sealed: string | null }>`
    select (select id from installation) as of_database, k.id as of_keys, k.sealed
    from (values (1)) as one left join keys.installation as k on true`.execute(db);
  const { of_database: ofDatabase = null, of_keys: ofKeys = null, sealed = null } = rows[0] ?? {};
  if (ofDatabase !== null && ofDatabase !== ofKeys)
    throw new AppError(
      'installation-mismatch',
      `the database belongs to installation ${ofDatabase}, and its schema \`keys\` ${ofKeys === null ? 'is empty' : `to ${ofKeys}`}: ` +
        'restore the keys of this installation',
    );
  return ofKeys === null || sealed === null ? undefined : { id: ofKeys, sealed };
};

/**
 * Requires the key that an installation was sealed with.
 *
 * @throws {AppError} `installation-key-wrong`.
 */
export const requireKey = ({ id, sealed }: SealedInstallation, box: Pick<SecretBox, 'open'>): void => {
  try {
    if (box.open(sealed, placeOf(id)) === id) return;
  } catch (error) {
    throw wrongKey(id, error);
  }
  throw wrongKey(id);
};

const wrongKey = (id: string, cause?: unknown): AppError =>
  new AppError(
    'installation-key-wrong',
    `the key that was given is not the key of installation ${id}: give its own in PALIMPSEST_SECRETS_KEY_FILE, or as secrets.key in the data folder`,
    { cause },
  );

/**
 * Names the installation of a new database and of new keys, or seals the name with the newest key of the installation.
 *
 * @throws {AppError} `installation-mismatch` if another process has named another one in the meantime.
 */
export const nameInstallation = async (
  { db }: Pick<ReadModelDatabase, 'db'>,
  id: string,
  box: Pick<SecretBox, 'prefix' | 'seal'>,
): Promise<void> => {
  const sealed = box.seal(id, placeOf(id));
  await durably(db, async (trx) => {
    await sql`insert into keys.installation (id, sealed) values (${id}, ${sealed})
      on conflict (is_only) do update set sealed = excluded.sealed
      where keys.installation.id = excluded.id
        and not starts_with(keys.installation.sealed, ${box.prefix ?? ''})`.execute(trx);
    await sql`insert into installation (id) values (${id}) on conflict do nothing`.execute(trx);
  });
  const named = await installationOf({ db });
  if (named?.id === id) return;
  throw new AppError(
    'installation-mismatch',
    `the database belongs to installation ${named?.id}, and not to ${id}: give the event log and the database of one installation`,
  );
};

/** Returns the associated data of the sealed ID. */
const placeOf = (id: string): string => `installation/${id}`;
