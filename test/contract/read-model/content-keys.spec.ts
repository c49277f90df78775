import { openContentKeys } from '@app/adapters/read-model-postgres';
import { newSecretKey, openSecretBox, readSecretKeys, WRAPPING } from '@app/adapters/secret-box';
import {
  Actor,
  AppError,
  ErasureId,
  IsoTime,
  SessionId,
  type SubjectRef,
  sessionStream,
  TenantId,
} from '@app/kernel';
import type { ContentKeys, DigestPurpose, KeyedDigests } from '@app/ports';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { TestDatabase } from './support/read-model-database.js';

const [oldKey, newKey] = [newSecretKey(), newSecretKey()];
const streamOf = (tenant: string, session: string) => sessionStream(TenantId(tenant), SessionId(session));
const mine = streamOf('acme', 's');
const NOTHING = { keys: [], count: 0, sessions: [] };
const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

/** Guarantee: every session has one key, which only the installation's key opens. */
describe('keys of content in PostgreSQL', () => {
  let test: TestDatabase;
  const opened: { close(): Promise<void> }[] = [];
  beforeAll(async () => {
    test = await TestDatabase.start();
  });
  afterAll(() => test.stop());
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((process) => process.close()));
  });
  beforeEach(async () => {
    await test.query('truncate keys.tenant_key, keys.content_key, keys.fence, keys.ledger');
  });

  /** A process that has these keys of the installation, the wrapping one first. */
  const processWith = async (...keys: readonly string[]) => {
    const box = openSecretBox(readSecretKeys(keys.join('\n')) ?? []);
    const process = await openContentKeys(test.database, box, WRAPPING, { cacheMs: 60_000 });
    opened.push(process);
    return process;
  };
  const sealing = async (process: ContentKeys, stream = mine, subjects: readonly SubjectRef[] = []) => {
    const keys = await process.toSeal(stream, subjects);
    return keys[0] ?? { id: '', bytes: new Uint8Array() };
  };
  const failure = (act: Promise<unknown>): Promise<unknown> =>
    act.then(
      () => 'none',
      (error: unknown) => (error instanceof AppError ? error.code : error),
    );

  it('are one per session, for all processes that begin at once', async () => {
    const processes = await Promise.all(Array.from({ length: 5 }, () => processWith(oldKey)));
    const keys = await Promise.all(processes.map((process) => sealing(process)));
    expect(new Set(keys.map(({ id, bytes }) => `${id} ${base64(bytes)}`)).size).toBe(1);
    const [first, second] = processes;
    const others = [streamOf('acme', 't'), streamOf('globex', 's')];
    const all = [keys[0], ...(await Promise.all(others.map((stream) => first && sealing(first, stream))))];
    expect(new Set(all.map((key) => base64(key?.bytes ?? new Uint8Array()))).size).toBe(3);
    for (const key of all) expect(await second?.toOpen(key?.id ?? '')).toEqual(key);
    expect(await second?.toOpen('A'.repeat(16))).toBeUndefined();
  });

  it('are in no row in clear, and cannot be moved to another session', async () => {
    const { id, bytes } = await sealing(await processWith(oldKey));
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
    const key = await sealing(await processWith(oldKey));
    expect(await failure(processWith(newKey))).toBe('secret-unreadable');
    expect(await (await processWith(newKey, oldKey)).toOpen(key.id)).toEqual(key);
    expect(await (await processWith(newKey)).toOpen(key.id)).toEqual(key);
    expect(await failure(processWith(oldKey))).toBe('secret-unreadable');
    expect(await failure(processWith())).toBe('secrets-key-missing');
  });

  it('stay usable in memory while the database does not answer', async () => {
    const keys = await processWith(oldKey);
    const key = await sealing(keys);
    await test.query('alter schema keys rename to keys_away');
    try {
      expect(await sealing(keys)).toEqual(key);
      expect(await keys.toOpen(key.id)).toEqual(key);
      expect(await failure(sealing(keys, streamOf('acme', 'new')))).not.toBe('none');
    } finally {
      await test.query('alter schema keys_away rename to keys');
    }
    expect(await failure(sealing(keys, streamOf('acme', 'new')))).toBe('none');
  });

  it('give equal digests of a text to every process, also under a new key of the installation', async () => {
    const digestIn = async (process: KeyedDigests, tenant = 'acme', purpose: DigestPurpose = 'message') =>
      (await process.digester(TenantId(tenant), purpose))('text');
    const [first, second] = await Promise.all([processWith(oldKey), processWith(oldKey)]);
    const digests = await Promise.all([digestIn(first), digestIn(second)]);
    expect(digests).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/), digests[0]]);
    expect(await digestIn(await processWith(newKey, oldKey))).toBe(digests[0]);
    const others = [await digestIn(first, 'globex'), await digestIn(first, 'acme', 'request')];
    expect(new Set([digests[0], ...others]).size).toBe(3);
    await test.query('truncate keys.tenant_key');
    expect(await digestIn(await processWith(newKey))).not.toBe(digests[0]);
  });

  it('are destroyed for one subject in all sessions, and read as erased in every process', async () => {
    const [first, second] = [await processWith(oldKey), await processWith(oldKey)];
    const tenant = TenantId('acme');
    const [ada, bob] = await first.subjectRefs(tenant, ['ada', 'bob']);
    if (!ada || !bob) throw new RangeError('there are two subjects');
    expect(await second.subjectRefs(tenant, ['bob', 'ada', 'bob'])).toEqual([ada, bob]);
    const other = streamOf('acme', 't');
    const mineKeys = await first.toSeal(mine, [ada, bob]);
    const otherKeys = await second.toSeal(other, [ada]);
    expect(await second.toOpen(mineKeys[1]?.id ?? '')).toEqual(mineKeys[1]);

    const erasure = ErasureId('era_ABCDEFGHIJ123456');
    const erased = {
      by: Actor('me'),
      at: IsoTime('2026-11-24T00:00:00.000Z'),
      erasure,
      scope: 'subject',
    } as const;
    const order = { tenant, erasure, scope: 'subject', subject: ada, erased } as const;
    const steps: string[] = [];
    let record = (): void => {};
    const recorded = new Promise<void>((resolve) => {
      record = resolve;
    });
    const begun = new Promise<void>((resolve) => {
      void second.protecting(tenant, SessionId('s'), async () => {
        resolve();
        await recorded;
        steps.push('hold');
      });
    });
    await begun;
    const fenced = first.fence(order).then(() => steps.push('fence'));
    record();
    await fenced;
    expect(steps).toEqual(['hold', 'fence']);
    const refused = second.protecting(tenant, SessionId('s'), async () => steps.push('too late'));
    expect([await failure(refused), steps.length]).toEqual(['erasure-in-progress', 2]);
    await second.protecting(tenant, SessionId('u'), async () => {});
    const destroyed = (await first.destroy(order)) ?? NOTHING;
    expect(new Set(destroyed.keys)).toEqual(new Set([mineKeys[1]?.id, otherKeys[1]?.id]));
    expect(new Set(destroyed.sessions)).toEqual(new Set(['s', 't']));
    let drop = (): void => {};
    const dropped = new Promise<void>((resolve) => {
      drop = resolve;
    });
    const evictions: string[] = [];
    const heard = new Promise<void>((resolve) => {
      second.onEvicted(() => {
        evictions.push('heard');
        resolve();
        return dropped;
      });
    });
    // This is the first eviction of the database: it waits for the other process, too.
    const evicted = first.evict().then(() => evictions.push('evicted'));
    await heard;
    for (let look = 0; look < 10; look += 1) await test.query('select from keys.process');
    expect(evictions).toEqual(['heard']);
    drop();
    await evicted;
    expect(evictions).toEqual(['heard', 'evicted']);
    for (const process of [first, second]) {
      expect(await process.toOpen(mineKeys[1]?.id ?? '')).toEqual({ id: mineKeys[1]?.id, erased });
      for (const key of [mineKeys[0], mineKeys[2]]) expect(await process.toOpen(key?.id ?? '')).toEqual(key);
      expect(await failure(process.toSeal(mine, [ada]))).toBe('erasure-in-progress');
      expect(await failure(process.toSeal(mine, [bob]))).toBe('none');
    }
    // Carried out again it is the same, and afterwards the subject may come back.
    expect(await second.destroy(order)).toEqual(destroyed);
    await first.release(tenant, erasure);
    const [, again] = await second.toSeal(mine, [ada]);
    expect(destroyed.keys).not.toContain(again?.id);
    // A late process destroys none of the restored keys.
    expect(await second.destroy(order)).toBe(undefined);
    expect(await second.toOpen(again?.id ?? '')).toEqual(again);
    expect(await first.destroyAgain(order, destroyed)).toBe(0);
  });

  it('are protected while many erasures wait for the end of it', async () => {
    const keys = await processWith(oldKey);
    const [tenant, session, scope] = [TenantId('acme'), SessionId('s'), 'session'] as const;
    let fences: Promise<unknown> = Promise.resolve();
    const protectedBy = await keys.protecting(tenant, session, async () => {
      const erasures = Array.from({ length: 30 }, (_, at) =>
        ErasureId(`era_${String(at).padStart(16, '0')}`),
      );
      fences = Promise.all(
        erasures.map((erasure) => {
          const erased = {
            by: Actor('me'),
            at: IsoTime('2026-11-24T00:00:00.000Z'),
            erasure,
            scope,
          } as const;
          return keys.fence({ tenant, erasure, scope, session, erased });
        }),
      );
      return sealing(keys, streamOf('globex', 'other')); // Over a connection of its own.
    });
    expect(protectedBy.id).not.toBe('');
    await fences;
    expect(await test.query('select 1 from keys.fence')).toHaveLength(30);
  });

  it('of a tenant go also where a backup brings back its key alone', async () => {
    const erasure = ErasureId('era_ABCDEFGHIJ123456');
    const erased = {
      by: Actor('me'),
      at: IsoTime('2026-11-24T00:00:00.000Z'),
      erasure,
      scope: 'tenant',
    } as const;
    const order = { tenant: TenantId('acme'), erasure, scope: 'tenant', erased } as const;
    const left = async (createdAt: string) => {
      const keys = await processWith(oldKey);
      await sealing(keys);
      await test.query('truncate keys.content_key');
      await test.query(`update keys.tenant_key set created_at = '${createdAt}'`);
      await keys.destroyAgain(order, { keys: [] });
      return (await test.query('select 1 from keys.tenant_key')).length;
    };
    expect(await left('2026-11-23')).toBe(0);
    expect(await left('2026-11-25')).toBe(1);
  });

  it('are all destroyed with the key of a tenant, also where a backup has brought them back', async () => {
    const keys = await processWith(oldKey);
    const tenant = TenantId('acme');
    const before = await sealing(keys);
    await sealing(keys, streamOf('globex', 's'));
    const [kept, tenantKeys] = [
      await test.query('select * from keys.content_key'),
      await test.query('select * from keys.tenant_key'),
    ];
    const erasure = ErasureId('era_ABCDEFGHIJ123456');
    const erased = {
      by: Actor('me'),
      at: IsoTime('2026-11-24T00:00:00.000Z'),
      erasure,
      scope: 'tenant',
    } as const;
    const order = { tenant, erasure, scope: 'tenant', erased } as const;
    await keys.fence(order);
    const destroyed = (await keys.destroy(order)) ?? NOTHING;
    expect(destroyed).toMatchObject({
      keys: [],
      count: 1,
      tenantKey: expect.stringMatching(/^[0-9a-f]{12}$/),
    });
    await keys.evict();
    await keys.release(tenant, erasure);
    await test.query('truncate keys.tenant_key, keys.content_key');
    await test.query(
      `insert into keys.content_key select * from json_populate_recordset(null::keys.content_key, '${JSON.stringify(kept)}')`,
    );
    await test.query(
      `insert into keys.tenant_key select * from json_populate_recordset(null::keys.tenant_key, '${JSON.stringify(tenantKeys)}')`,
    );
    expect(await keys.destroyAgain(order, destroyed)).toBe(1);
    await keys.evict();
    expect(await keys.toOpen(before.id)).toEqual({ id: before.id, erased });
    expect(await test.query('select tenant from keys.tenant_key')).toEqual([{ tenant: 'globex' }]);
  });
});
