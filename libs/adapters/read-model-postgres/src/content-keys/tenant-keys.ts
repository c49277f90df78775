import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { SubjectRef } from '@app/kernel';
import type { SecretBox } from '@app/ports';
import { sql, type Transaction } from 'kysely';
import type { ReadModelDatabase } from '../database.js';
import type { ReadModelTables } from '../tables.js';
import { Remembered } from './remembered.js';

export type Db = ReadModelDatabase['db'];

/** Makes keys that wrap others, and opens boxes with them. */
export type Wrapping = { newKey(): string; boxOf(key: string): SecretBox };

/** A tenant's key: wraps keys, and derives fingerprints of subjects and digests of content. */
export type TenantKey = {
  readonly box: SecretBox;
  fingerprint(subject: string): SubjectRef;
  /** Returns the HMAC-SHA-256 of a text, for one purpose. */
  digest(purpose: string, text: string): Buffer;
};

/** Bytes of a fingerprint: 22 characters as base64url. */
const FINGERPRINT_BYTES = 16;

/** The keys of tenants, wrapped with the key of the installation. Each is made when it is needed first. */
export class TenantKeys {
  readonly remembered: Remembered<TenantKey>;

  /** @param cacheMs milliseconds that a key stays in memory. */
  constructor(
    private readonly db: Db,
    private readonly box: SecretBox,
    private readonly wrapping: Wrapping,
    cacheMs: number,
  ) {
    this.remembered = new Remembered(cacheMs);
  }

  get(tenant: string): Promise<TenantKey> {
    return this.remembered.get(tenant, async () => {
      const place = placeOf(tenant);
      const wrapped =
        (await wrappedKey(this.db, tenant)) ??
        (await newTenantKey(this.db, tenant, this.box.seal(this.wrapping.newKey(), place)));
      const key = this.box.open(wrapped, place);
      const secret = createSecretKey(Buffer.from(key));
      return {
        box: this.wrapping.boxOf(key),
        fingerprint: (subject) => fingerprintOf(secret, subject),
        digest: (purpose, text) => hmac(secret, `digest of a ${purpose}`, text),
      };
    });
  }

  /** Wraps keys of tenants with the current key of the installation; the keys themselves stay as they are. */
  async rewrap(): Promise<void> {
    const { prefix = '' } = this.box;
    const { rows } = await sql<{ readonly tenant: string; readonly wrapped: string }>`
      select tenant, wrapped from keys.tenant_key where not starts_with(wrapped, ${prefix})`.execute(this.db);
    for (const { tenant, wrapped } of rows) {
      const place = placeOf(tenant);
      const anew = this.box.seal(this.box.open(wrapped, place), place);
      await sql`update keys.tenant_key set wrapped = ${anew}
        where tenant = ${tenant} and wrapped = ${wrapped}`.execute(this.db);
    }
  }
}

/** Returns the associated data of a wrapped key. */
const placeOf = (tenant: string): string => `content-keys/${tenant}`;

/** @param purpose without line breaks, so that no other purpose and text give the same digest. */
const hmac = (key: KeyObject, purpose: string, text: string): Buffer =>
  createHmac('sha256', key).update(`palimpsest ${purpose}\n`).update(text).digest();

const fingerprintOf = (key: KeyObject, subject: string): SubjectRef => {
  const digest = hmac(key, 'subject', subject);
  return SubjectRef(`sub_${digest.subarray(0, FINGERPRINT_BYTES).toString('base64url')}`);
};

const wrappedKey = async (db: Db, tenant: string): Promise<string | undefined> => {
  const { rows } = await sql<{ readonly wrapped: string }>`select wrapped from keys.tenant_key
    where tenant = ${tenant}`.execute(db);
  return rows[0]?.wrapped;
};

/** Returns the key that is recorded in the end: another process may have created one in the meantime. */
const newTenantKey = async (db: Db, tenant: string, wrapped: string): Promise<string> => {
  await durably(db, (trx) =>
    sql`insert into keys.tenant_key (tenant, wrapped) values (${tenant}, ${wrapped})
      on conflict (tenant) do nothing`.execute(trx),
  );
  // One that was destroyed in the meantime opens nothing.
  return (await wrappedKey(db, tenant)) ?? wrapped;
};

/** On disk when the transaction ends, regardless of the server's setting: content must never outlive its key. */
export const durably = <Result>(
  db: Db,
  work: (trx: Transaction<ReadModelTables>) => Promise<Result>,
): Promise<Result> =>
  db.transaction().execute(async (trx) => {
    await sql`set local synchronous_commit = on`.execute(trx);
    return work(trx);
  });
