import {
  openSecretStore,
  openWebhookSecrets,
  type ReadModelDatabase,
  resealSecrets,
} from '@app/adapters/read-model-postgres';
import { newSecretKey, openSecretBox, readSecretKeys } from '@app/adapters/secret-box';
import { AppError, IsoTime, SecretName, TenantId, WebhookId } from '@app/kernel';
import type { SecretBox } from '@app/ports';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { TestDatabase } from './support/read-model-database.js';

const acme = TenantId('acme');
const globex = TenantId('globex');
const name = SecretName('model-key');
const webhook = WebhookId('wh_AAAAAAAAAAAA');
const VALUE = 'sk-Zwiebelfisch';
const PLAIN = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYqr';
const now = IsoTime('2026-01-01T00:00:00Z');
const later = IsoTime('2026-01-02T00:00:00Z');

const [oldKey, newKey] = [newSecretKey(), newSecretKey()];
const boxOf = (...keys: readonly string[]): SecretBox => openSecretBox(readSecretKeys(keys.join('\n')) ?? []);
const before = boxOf(oldKey);
const after = boxOf(newKey, oldKey);

/** Guarantee: no secret is in the database in clear, and each tenant has its own. */
describe('secrets in PostgreSQL', () => {
  let test: TestDatabase;
  let database: ReadModelDatabase;
  beforeAll(async () => {
    test = await TestDatabase.start();
    database = test.database;
  });
  afterAll(() => test.stop());
  beforeEach(async () => {
    await test.query('truncate tenant_secret, webhook_secret');
  });

  const rowsOf = (table: string) => test.query(`select * from ${table}`);
  const failure = async (act: Promise<unknown>): Promise<unknown> =>
    act.then(
      () => 'none',
      (error: unknown) => (error instanceof AppError ? error.code : error),
    );

  it('can be read by tenant and name only', async () => {
    const store = openSecretStore(database, before);
    await store.put(acme, name, VALUE, now);
    await store.put(globex, name, 'another', now);
    expect(await store.read(acme, name)).toBe(VALUE);
    expect(await store.read(globex, name)).toBe('another');
    expect(await failure(store.read(acme, SecretName('other')))).toBe('secret-not-found');
    await store.remove(acme, name);
    await store.remove(acme, name);
    expect(await failure(store.read(acme, name))).toBe('secret-not-found');
    expect(await store.read(globex, name)).toBe('another');
  });

  it('are listed by name with their times, without values', async () => {
    const store = openSecretStore(database, before);
    const put = await store.put(acme, name, VALUE, now);
    expect(put).toEqual({ name, createdAt: now, changedAt: now, lastUsedAt: null });
    await store.put(acme, SecretName('another'), VALUE, now);
    await store.put(acme, name, 'given anew', later);
    expect(await store.read(acme, name)).toBe('given anew');
    const listed = await store.list(acme);
    expect(listed).toEqual([
      { name: 'another', createdAt: now, changedAt: now, lastUsedAt: null },
      { name, createdAt: now, changedAt: later, lastUsedAt: expect.stringMatching(/:00\.000Z$|:00Z$/) },
    ]);
    expect(await store.list(globex)).toEqual([]);
  });

  it('are in no column in clear', async () => {
    await openSecretStore(database, before).put(acme, name, VALUE, now);
    await openWebhookSecrets(database, before).add(acme, webhook, PLAIN);
    const text = JSON.stringify(
      [await rowsOf('tenant_secret'), await rowsOf('webhook_secret')],
      (_, value) => (typeof value === 'bigint' ? String(value) : value),
    );
    for (const secret of [VALUE, PLAIN, PLAIN.slice('whsec_'.length)]) expect(text).not.toContain(secret);
    expect(await openWebhookSecrets(database, before).of(acme, webhook, now)).toEqual([PLAIN]);
  });

  it('cannot be decrypted after a move to another tenant or name', async () => {
    const store = openSecretStore(database, before);
    await store.put(acme, name, VALUE, now);
    await sql`update tenant_secret set tenant = 'globex'`.execute(database.db);
    expect(await failure(store.read(globex, name))).toBe('secret-unreadable');
    await sql`update tenant_secret set tenant = 'acme', name = 'other'`.execute(database.db);
    expect(await failure(store.read(acme, SecretName('other')))).toBe('secret-unreadable');
  });

  it('are re-encrypted with a new key, also legacy ones, and then no longer need the old key', async () => {
    await openSecretStore(database, before).put(acme, name, VALUE, now);
    await openWebhookSecrets(database, before).add(acme, webhook, PLAIN);
    const plain = WebhookId('wh_BBBBBBBBBBBB');
    await sql`insert into webhook_secret (tenant, webhook, secret) values ('acme', ${plain}, ${PLAIN})`.execute(
      database.db,
    );
    expect(await openWebhookSecrets(database, boxOf()).of(acme, plain, now)).toEqual([PLAIN]);
    const errors: unknown[] = [];
    const hear = (error: unknown): void => void errors.push(error);
    expect(await resealSecrets(database, boxOf(), hear)).toBe(0);
    expect(await resealSecrets(database, after, hear)).toBe(3);
    expect(await resealSecrets(database, after, hear)).toBe(0);
    expect(errors).toEqual([]);
    const alone = boxOf(newKey);
    expect(await openSecretStore(database, alone).read(acme, name)).toBe(VALUE);
    for (const one of [webhook, plain])
      expect(await openWebhookSecrets(database, alone).of(acme, one, now)).toEqual([PLAIN]);
    expect(JSON.stringify((await rowsOf('webhook_secret')).map(({ secret }) => secret))).not.toContain(
      'whsec_',
    );
  });

  it('are left unchanged and reported if no key decrypts them', async () => {
    await openSecretStore(database, before).put(acme, name, VALUE, now);
    const codes: unknown[] = [];
    const hear = (error: unknown): void => void codes.push(error instanceof AppError && error.code);
    expect(await resealSecrets(database, boxOf(newKey), hear)).toBe(0);
    expect(codes).toEqual(['secret-unreadable']);
    expect(await openSecretStore(database, before).read(acme, name)).toBe(VALUE);
  });

  it('are separated by row-level security, too', async () => {
    const store = openSecretStore(database, before);
    await store.put(acme, name, VALUE, now);
    await store.put(globex, name, VALUE, now);
    const all = 'select tenant from tenant_secret';
    expect(await test.queryAs('acme', all)).toEqual([{ tenant: 'acme' }]);
    expect([await test.queryAs('', all), await test.queryAs(undefined, all)]).toEqual([[], []]);
    await expect(test.queryAs('acme', 'delete from tenant_secret')).rejects.toMatchObject({ code: '42501' });
    await test.query('alter policy of_tenant on tenant_secret using (false)');
    expect([await store.list(acme), await failure(store.read(acme, name))]).toEqual([[], 'secret-not-found']);
  });
});
