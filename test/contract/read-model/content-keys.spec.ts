import { openContentKeys } from '@app/adapters/read-model-postgres';
import { newSecretKey, openSecretBox, readSecretKeys, WRAPPING } from '@app/adapters/secret-box';
import { AppError, SessionId, sessionStream, TenantId } from '@app/kernel';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { TestDatabase } from './support/read-model-database.js';

const [oldKey, newKey] = [newSecretKey(), newSecretKey()];
const streamOf = (tenant: string, session: string) => sessionStream(TenantId(tenant), SessionId(session));
const mine = streamOf('acme', 's');
const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

/** Guarantee: every session has one key, which only the installation's key opens. */
describe('keys of content in PostgreSQL', () => {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await TestDatabase.start();
  });
  afterAll(() => test.stop());
  beforeEach(async () => {
    await test.query('truncate keys.tenant_key, keys.content_key');
  });

  /** A process that has these keys of the installation, the wrapping one first. */
  const processWith = (...keys: readonly string[]) =>
    openContentKeys(test.database, openSecretBox(readSecretKeys(keys.join('\n')) ?? []), WRAPPING);
  const failure = (act: Promise<unknown>): Promise<unknown> =>
    act.then(
      () => 'none',
      (error: unknown) => (error instanceof AppError ? error.code : error),
    );

  it('are one per session, for all processes that begin at once', async () => {
    const processes = await Promise.all(Array.from({ length: 5 }, () => processWith(oldKey)));
    const keys = await Promise.all(processes.map((keysOf) => keysOf.toSeal(mine)));
    expect(new Set(keys.map(({ id, bytes }) => `${id} ${base64(bytes)}`)).size).toBe(1);
    const [first, second] = processes;
    const others = [streamOf('acme', 't'), streamOf('globex', 's')];
    const all = [keys[0], ...(await Promise.all(others.map((stream) => first?.toSeal(stream))))];
    expect(new Set(all.map((key) => base64(key?.bytes ?? new Uint8Array()))).size).toBe(3);
    for (const key of all) expect(await second?.toOpen(key?.id ?? '')).toEqual(key);
    expect(await second?.toOpen('A'.repeat(16))).toBeUndefined();
  });

  it('are in no row in clear, and cannot be moved to another session', async () => {
    const { id, bytes } = await (await processWith(oldKey)).toSeal(mine);
    const rows = JSON.stringify([
      await test.query('select * from keys.content_key'),
      await test.query('select * from keys.tenant_key'),
    ]);
    expect(rows).toContain(id);
    expect(rows).not.toContain(base64(bytes).slice(0, 40));
    await test.query(`update keys.content_key set session = 'stolen'`);
    expect(await failure((await processWith(oldKey)).toOpen(id))).toBe('secret-unreadable');
  });

  it('outlive a rotation of the installation’s key', async () => {
    const key = await (await processWith(oldKey)).toSeal(mine);
    expect(await failure(processWith(newKey))).toBe('secret-unreadable');
    expect(await (await processWith(newKey, oldKey)).toOpen(key.id)).toEqual(key);
    expect(await (await processWith(newKey)).toOpen(key.id)).toEqual(key);
    expect(await failure(processWith(oldKey))).toBe('secret-unreadable');
    expect(await failure(processWith())).toBe('secrets-key-missing');
  });

  it('stay usable in memory while the database does not answer', async () => {
    const keys = await processWith(oldKey);
    const key = await keys.toSeal(mine);
    await test.query('alter schema keys rename to keys_away');
    try {
      expect(await keys.toSeal(mine)).toEqual(key);
      expect(await keys.toOpen(key.id)).toEqual(key);
      expect(await failure(keys.toSeal(streamOf('acme', 'new')))).not.toBe('none');
    } finally {
      await test.query('alter schema keys_away rename to keys');
    }
    expect(await failure(keys.toSeal(streamOf('acme', 'new')))).toBe('none');
  });
});
