import { randomBytes } from 'node:crypto';
import { AppError, invariant, type StreamName, sessionOf } from '@app/kernel';
import type { ContentKey, ContentKeys, SecretBox } from '@app/ports';
import { sql, type Transaction } from 'kysely';
import type { ReadModelDatabase } from '../database.js';
import type { ReadModelTables } from '../tables.js';
import { Remembered } from './remembered.js';

/** Makes keys that wrap others, and opens boxes with them. */
type Wrapping = { newKey(): string; boxOf(key: string): SecretBox };

type Db = ReadModelDatabase['db'];
type Row = {
  readonly id: string;
  readonly tenant: string;
  readonly session: string;
  readonly wrapped: string;
};

const KEY_BYTES = 32;
/** Of a key's id: 16 characters as base64url. */
const ID_BYTES = 12;

/** Returns what a wrapped key is bound to. */
const placeOfTenantKey = (tenant: string): string => `content-keys/${tenant}`;
const placeOfKey = ({ id, tenant, session }: Omit<Row, 'wrapped'>): string =>
  JSON.stringify(['content-key', tenant, session, id]);

/**
 * Opens the key store in the schema `keys` of a migrated database: a key for each session, wrapped with the key of
 * its tenant, which is wrapped with the key of the installation. Keys wrapped with an older key of the installation
 * are wrapped anew. Keys in memory are limited in number and in time.
 *
 * @param box seals with the key of the installation.
 * @throws {AppError} `secrets-key-missing` without such a key; `secret-unreadable` if a tenant's key was wrapped with
 *   another one.
 */
export const openContentKeys = async (
  { db }: Pick<ReadModelDatabase, 'db'>,
  box: SecretBox,
  wrapping: Wrapping,
): Promise<ContentKeys> => {
  if (box.prefix === undefined) {
    const way = 'give every process the same PALIMPSEST_SECRETS_KEY_FILE';
    throw new AppError('secrets-key-missing', `content is kept encrypted, and there is no key: ${way}`);
  }
  await rewrap(db, box, box.prefix);
  const boxes = new Remembered<SecretBox>();
  const byStream = new Remembered<ContentKey>();
  const byId = new Remembered<ContentKey | undefined>();
  const boxOf = (tenant: string): Promise<SecretBox> =>
    boxes.get(tenant, async () => {
      const place = placeOfTenantKey(tenant);
      const known = await tenantKey(db, tenant);
      const wrapped = known ?? (await newTenantKey(db, tenant, box.seal(wrapping.newKey(), place)));
      return wrapping.boxOf(box.open(wrapped, place));
    });
  const opened = async (row: Row): Promise<ContentKey> => {
    const key = (await boxOf(row.tenant)).open(row.wrapped, placeOfKey(row));
    return { id: row.id, bytes: Buffer.from(key, 'base64') };
  };
  return {
    toSeal: (stream) =>
      byStream.get(stream, async () => {
        const place = placeOf(stream);
        const row = (await keyOf(db, place)) ?? (await newKey(db, place, await boxOf(place.tenant)));
        const key = await opened(row);
        byId.keep(key.id, key);
        return key;
      }),
    toOpen: (id) =>
      byId.get(id, async () => {
        const { rows } = await sql<Row>`select id, tenant, session, wrapped from keys.content_key
          where id = ${id}`.execute(db);
        return rows[0] && opened(rows[0]);
      }),
  };
};

const placeOf = (stream: StreamName): Pick<Row, 'tenant' | 'session'> => {
  const place = sessionOf(stream);
  invariant(place, 'only events of sessions have content');
  return place;
};

const keyOf = async (
  db: Db,
  { tenant, session }: Pick<Row, 'tenant' | 'session'>,
): Promise<Row | undefined> => {
  const { rows } = await sql<Row>`select id, tenant, session, wrapped from keys.content_key
    where tenant = ${tenant} and session = ${session}`.execute(db);
  return rows[0];
};

/** Returns the key that is recorded in the end: another process may have created one in the meantime. */
const newKey = async (db: Db, place: Pick<Row, 'tenant' | 'session'>, tenantBox: SecretBox): Promise<Row> => {
  const named = { ...place, id: randomBytes(ID_BYTES).toString('base64url') };
  const wrapped = tenantBox.seal(randomBytes(KEY_BYTES).toString('base64'), placeOfKey(named));
  await durably(db, (trx) =>
    sql`insert into keys.content_key (id, tenant, session, wrapped)
      values (${named.id}, ${named.tenant}, ${named.session}, ${wrapped})
      on conflict (tenant, session) do nothing`.execute(trx),
  );
  const row = await keyOf(db, place);
  invariant(row, 'the key of a session was recorded');
  return row;
};

const tenantKey = async (db: Db, tenant: string): Promise<string | undefined> => {
  const { rows } = await sql<{ readonly wrapped: string }>`select wrapped from keys.tenant_key
    where tenant = ${tenant}`.execute(db);
  return rows[0]?.wrapped;
};

const newTenantKey = async (db: Db, tenant: string, wrapped: string): Promise<string> => {
  await durably(db, (trx) =>
    sql`insert into keys.tenant_key (tenant, wrapped) values (${tenant}, ${wrapped})
      on conflict (tenant) do nothing`.execute(trx),
  );
  const recorded = await tenantKey(db, tenant);
  invariant(recorded !== undefined, 'the key of a tenant was recorded');
  return recorded;
};

/** On disk when the transaction ends, regardless of the server's setting: content must never outlive its key. */
const durably = (db: Db, work: (trx: Transaction<ReadModelTables>) => Promise<unknown>): Promise<void> =>
  db.transaction().execute(async (trx) => {
    await sql`set local synchronous_commit = on`.execute(trx);
    await work(trx);
  });

/** Wraps keys of tenants with the current key of the installation; keys of sessions stay as they are. */
const rewrap = async (db: Db, box: SecretBox, prefix: string): Promise<void> => {
  const { rows } = await sql<{ readonly tenant: string; readonly wrapped: string }>`
    select tenant, wrapped from keys.tenant_key where not starts_with(wrapped, ${prefix})`.execute(db);
  for (const { tenant, wrapped } of rows) {
    const place = placeOfTenantKey(tenant);
    const anew = box.seal(box.open(wrapped, place), place);
    await sql`update keys.tenant_key set wrapped = ${anew}
      where tenant = ${tenant} and wrapped = ${wrapped}`.execute(db);
  }
};
