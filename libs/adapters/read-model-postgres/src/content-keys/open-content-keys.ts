import { randomBytes } from 'node:crypto';
import type { Erased, ErasureScope } from '@app/domain';
import {
  Actor,
  AppError,
  ErasureId,
  IsoTime,
  invariant,
  type StreamName,
  type SubjectRef,
  sessionOf,
} from '@app/kernel';
import type { ContentKey, ContentKeys, ErasableKeys, ErasedKey, KeyedDigests, SecretBox } from '@app/ports';
import { sql } from 'kysely';
import type { ReadModelDatabase } from '../database.js';
import { eraseKeys, erasing, isFenced, lockKeys } from './erase-keys.js';
import { KeyProcess } from './key-process.js';
import { Remembered } from './remembered.js';
import { type Db, durably, TenantKeys, type Wrapping } from './tenant-keys.js';

/** A key's place: the subject is '' for the key of the session. */
type Place = { readonly tenant: string; readonly session: string; readonly subject: string };
type Row = Place & {
  readonly id: string;
  readonly wrapped: string | null;
  readonly erasure: string | null;
  readonly erasure_scope: ErasureScope | null;
  readonly erased_by: string | null;
  readonly erased_at: Date | null;
};

const KEY_BYTES = 32;
/** Bytes of a key's ID: 16 characters as base64url. */
const ID_BYTES = 12;

/** Returns the associated data of a wrapped key. */
const bindingOf = ({ id, tenant, session, subject }: Place & { readonly id: string }): string =>
  JSON.stringify(['content-key', tenant, session, id, ...(subject === '' ? [] : [subject])]);

/**
 * Opens the key store in the schema `keys` of a migrated database: a key for each session, and for each session and
 * subject, wrapped with the key of its tenant, which is wrapped with the key of the installation. Keys wrapped with an
 * older key of the installation are wrapped anew. Keys in memory are limited in number and in time.
 *
 * @param box seals with the key of the installation.
 * @param options `cacheMs`: milliseconds that a key stays in memory; `isAlone`: whether no other process can have used the
 *   database before.
 * @throws {AppError} `secrets-key-missing` without such a key; `secret-unreadable` if a tenant's key was wrapped with
 *   another one.
 */
export const openContentKeys = async (
  database: Pick<ReadModelDatabase, 'db' | 'listen'>,
  box: SecretBox,
  wrapping: Wrapping,
  { cacheMs, isAlone = false }: { readonly cacheMs: number; readonly isAlone?: boolean },
): Promise<
  ContentKeys & ErasableKeys & KeyedDigests & { rewrap(): Promise<void>; close(): Promise<void> }
> => {
  const { db } = database;
  if (box.prefix === undefined) {
    const way = 'give every process the same PALIMPSEST_SECRETS_KEY_FILE';
    throw new AppError('secrets-key-missing', `content is kept encrypted, and there is no key: ${way}`);
  }
  const tenants = new TenantKeys(db, box, wrapping, cacheMs);
  await tenants.rewrap();
  const inUse = new Remembered<ContentKey>(cacheMs);
  const byId = new Remembered<ContentKey | ErasedKey | undefined>(cacheMs);
  const caches = [tenants.remembered, inUse, byId];
  const process = await KeyProcess.start(database, caches, isAlone);
  const recorded = new Set<Promise<unknown>>();
  process.onEvicted(async () => void (await Promise.allSettled(recorded)));

  const opened = async ({ wrapped, ...row }: Row): Promise<ContentKey | ErasedKey> => {
    const erased = erasedIn(row);
    if (erased || wrapped === null) {
      invariant(erased, 'a key without bytes is erased');
      return { id: row.id, erased };
    }
    const { box: tenantBox } = await tenants.get(row.tenant);
    return { id: row.id, bytes: Buffer.from(tenantBox.open(wrapped, bindingOf(row)), 'base64') };
  };
  const keyFor = (place: Place): Promise<ContentKey> =>
    inUse.get(`${place.tenant} ${place.session} ${place.subject}`, async () => {
      const { generation } = byId;
      const row = (await keyOf(db, place)) ?? (await newKey(db, place, { tenants, process: process.name }));
      const key = await opened(row);
      invariant('bytes' in key, 'a key in use is not erased');
      if (byId.generation === generation) byId.keep(key.id, key);
      return key;
    });
  return {
    toSeal: (stream, subjects) => {
      const place = placeOf(stream);
      return Promise.all(['', ...subjects].map((subject) => keyFor({ ...place, subject })));
    },
    toOpen: (id) =>
      byId.get(id, async () => {
        const { rows } = await sql<Row>`select * from keys.content_key where id = ${id}`.execute(db);
        return rows[0] && opened(rows[0]);
      }),
    subjectRefs: async (tenant, names): Promise<readonly SubjectRef[]> => {
      if (names.length === 0) return [];
      const { fingerprint } = await tenants.get(tenant);
      return [...new Set(names.map(fingerprint))].sort();
    },
    digester: async (tenant, purpose) => {
      const { digest } = await tenants.get(tenant);
      return (text) => digest(purpose, text).toString('hex');
    },
    recording: async (work) => {
      const running = work();
      recorded.add(running);
      return running.finally(() => recorded.delete(running));
    },
    ...eraseKeys(db),
    evict: () => process.evictEverywhere(),
    onEvicted: (listener) => process.onEvicted(listener),
    /** Wraps the keys of tenants with the newest key of the installation. */
    rewrap: () => tenants.rewrap(),
    close: () => process.close(),
  };
};

const placeOf = (stream: StreamName): Omit<Place, 'subject'> => {
  const place = sessionOf(stream);
  invariant(place, 'only events of sessions have content');
  return place;
};

const erasedIn = ({
  erasure,
  erasure_scope,
  erased_by,
  erased_at,
}: Omit<Row, 'wrapped'>): Erased | undefined =>
  erasure === null || erasure_scope === null || erased_by === null || erased_at === null
    ? undefined
    : {
        by: Actor(erased_by),
        at: IsoTime(erased_at),
        erasure: ErasureId(erasure),
        scope: erasure_scope,
      };

const keyOf = async (db: Db, { tenant, session, subject }: Place): Promise<Row | undefined> => {
  const { rows } = await sql<Row>`select * from keys.content_key
    where tenant = ${tenant} and session = ${session} and subject = ${subject} and erased_at is null`.execute(
    db,
  );
  return rows[0];
};

/** Returns the key that is recorded in the end: another process may have created one in the meantime. */
const newKey = async (
  db: Db,
  place: Place,
  { tenants, process }: { readonly tenants: TenantKeys; readonly process: string },
): Promise<Row> => {
  const { box } = await tenants.get(place.tenant);
  const named = { ...place, id: randomBytes(ID_BYTES).toString('base64url') };
  const wrapped = box.seal(randomBytes(KEY_BYTES).toString('base64'), bindingOf(named));
  const row = await durably(db, async (trx) => {
    await lockKeys(trx, place.tenant, 'shared');
    if ((await isFenced(trx, place)) || !(await isWaitedFor(trx, process))) throw erasing(place.session);
    await sql`insert into keys.content_key (id, tenant, session, subject, wrapped)
      values (${named.id}, ${named.tenant}, ${named.session}, ${named.subject}, ${wrapped})
      on conflict (tenant, session, subject) where erased_at is null do nothing`.execute(trx);
    return keyOf(trx, place);
  });
  invariant(row, 'the key of a session was recorded');
  return row;
};

/** Whether erasures wait for this process. One that they have given up may hold content that was erased meanwhile. */
const isWaitedFor = async (trx: Db, process: string): Promise<boolean> => {
  const { rows } = await sql`select 1 from keys.process where process = ${process}`.execute(trx);
  return rows.length > 0;
};
