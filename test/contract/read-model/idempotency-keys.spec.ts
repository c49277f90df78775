import { createHash } from 'node:crypto';
import { databasePlaces, openIdempotencyKeys } from '@app/adapters/read-model-postgres';
import { SessionId, TenantId } from '@app/kernel';
import { type KeyedRequest, ROUTE_BYTES } from '@app/ports';
import { memoryDigests, openMemoryLog } from '@app/testing';
import pg from 'pg';
import { TestDatabase } from './support/read-model-database.js';

const LEASE_MS = 60_000;
const digestOf = (text: string) => createHash('sha256').update(text).digest();
const request = (key: string, says = 'this', tenant = 'acme', route = 'POST /v1/erasures'): KeyedRequest => ({
  tenant: TenantId(tenant),
  key,
  digest: Buffer.concat([digestOf(route).subarray(0, ROUTE_BYTES), digestOf(says).subarray(ROUTE_BYTES)]),
});

/** Guarantee: one of several requests with the same key is executed, and all get its answer. */
describe('idempotency keys', () => {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await TestDatabase.start();
  });
  afterAll(() => test.stop());

  const keys = () => openIdempotencyKeys(test.database);
  const claimed = async (one: KeyedRequest): Promise<string> => {
    const claim = await keys().claim(one, LEASE_MS);
    if (claim.kind !== 'claimed') throw new Error(`it is ${claim.kind}`);
    return claim.holder;
  };
  const ANSWER = { status: 201, headers: { etag: '"3"' }, body: '{"said":"ü\\u0000"}' };

  it('let one of many concurrent requests run', async () => {
    const claims = await Promise.all(
      Array.from({ length: 8 }, () => keys().claim(request('many'), LEASE_MS)),
    );
    expect(claims.filter(({ kind }) => kind === 'claimed')).toHaveLength(1);
    expect(claims.filter(({ kind }) => kind === 'in-progress')).toHaveLength(7);
    expect(claims.find(({ kind }) => kind === 'in-progress')).toMatchObject({ seconds: expect.any(Number) });
  });

  it('store the answer for the same request and tenant only', async () => {
    const holder = await claimed(request('kept'));
    await keys().answer(request('kept'), holder, ANSWER);
    expect(await keys().claim(request('kept'), LEASE_MS)).toEqual({ kind: 'answered', answer: ANSWER });
    expect(await keys().claim(request('kept', 'that'), LEASE_MS)).toEqual({ kind: 'reused' });
    expect(await keys().claim(request('kept', 'this', 'other'), LEASE_MS)).toMatchObject({ kind: 'claimed' });
  });

  it('store no text that was read before an erasure of the tenant', async () => {
    const tenant = TenantId('erasing');
    const [done, text, receipt] = ['done', 'text', 'receipt'].map((key) => request(key, 'this', tenant));
    if (!done || !text || !receipt) throw new RangeError('there are three requests');
    const holders = [await claimed(done), await claimed(text), await claimed(receipt)] as const;
    const withText = { ...ANSWER, body: 'sealed.v1.text' };
    await keys().answer(done, holders[0], withText);
    const kept = databasePlaces(test.database, openMemoryLog().log, memoryDigests).find(
      ({ name }) => name === 'kept-answers',
    );
    const erased = { tenant, target: { scope: 'tenant' }, sessions: [], descriptions: [] } as const;
    expect(await kept?.erase(erased)).toBe(1);
    await keys().answer(text, holders[1], withText);
    await keys().answer(receipt, holders[2], ANSWER);
    for (const one of [done, text])
      expect(await keys().claim(one, LEASE_MS)).toMatchObject({ kind: 'claimed' });
    // Digests from after the erasure are others: the tenant's key was destroyed.
    const again = request('receipt', 'this, with another key', tenant);
    expect(await keys().claim(again, LEASE_MS)).toEqual({ kind: 'answered', answer: ANSWER });
    const other = request('receipt', 'this, with another key', tenant, 'POST /v1/keys');
    expect(await keys().claim(other, LEASE_MS)).toEqual({ kind: 'reused' });
  });

  it('work concurrently as they do alone', async () => {
    const same = keys();
    const [again, reused] = [request('group-0'), request('group-1', 'that')];
    const asked = [...Array.from({ length: 100 }, (_, at) => request(`group-${at}`)), again, reused];
    const claims = await Promise.all(asked.map((one) => same.claim(one, LEASE_MS)));
    const kinds = claims.map(({ kind }) => kind);
    expect(kinds.slice(0, 100)).toEqual(Array.from({ length: 100 }, () => 'claimed'));
    expect(kinds.slice(100)).toEqual(['in-progress', 'reused']);
    const holders = claims.flatMap((claim) => (claim.kind === 'claimed' ? claim.holder : []));
    expect(new Set(holders).size).toBe(100);

    const unstorable = 99; // Only this one fails.
    const kept = await Promise.allSettled(
      holders.map((holder, at) => {
        const status = at === unstorable ? 2 ** 40 : 200;
        return same.answer(request(`group-${at}`), holder, { ...ANSWER, status, body: `${at}` });
      }),
    );
    expect(kept.flatMap(({ status }, at) => (status === 'rejected' ? at : []))).toEqual([unstorable]);
    const answers = await Promise.all(asked.slice(0, 100).map((one) => same.claim(one, LEASE_MS)));
    expect(answers.map((one) => one.kind === 'answered' && one.answer.body)).toEqual(
      answers.map((_, at) => at !== unstorable && `${at}`),
    );
  });

  it('are locked in one order by answers and erasures, so that none waits for one that waits for it', async () => {
    const lock = async (tenant: string, key: string): Promise<() => Promise<void>> => {
      const client = new pg.Client({ connectionString: test.url });
      await client.connect();
      await client.query('begin');
      await client.query('select 1 from idempotency_key where tenant = $1 and key = $2 for update', [
        tenant,
        key,
      ]);
      return () => client.end();
    };
    const untilOneWaits = async (): Promise<void> => {
      const waiting = "select 1 from pg_stat_activity where wait_event_type = 'Lock'";
      while ((await test.query(waiting)).length === 0);
    };
    const free = async (tenant: string) =>
      (
        await test.query(
          `select key from idempotency_key where tenant = '${tenant}' order by key for update skip locked`,
        )
      ).map(({ key }) => key);
    const same = keys();
    const claimedEach = async (tenant: string, names: readonly string[]) => {
      const answers: (() => Promise<void>)[] = [];
      for (const one of names.map((key) => request(key, 'this', tenant))) {
        const holder = await claimed(one);
        answers.push(() => same.answer(one, holder, ANSWER));
      }
      return answers;
    };

    const answers = await claimedEach('answered', ['w', 'z', 'm', 'a']);
    const [unlockW, unlockM] = [await lock('answered', 'w'), await lock('answered', 'm')];
    const first = answers[0]?.();
    await untilOneWaits();
    const others = answers.slice(1).map((answer) => answer()); // They wait for the first, and are one group.
    await unlockW();
    await first;
    await untilOneWaits();
    expect(await free('answered')).toEqual(['w', 'z']);
    await unlockM();
    await Promise.all(others);

    await claimedEach('erased', ['z', 'm', 'a']);
    const unlock = await lock('erased', 'm');
    const target = { scope: 'session', session: SessionId('s') } as const;
    const erasing = databasePlaces(test.database, openMemoryLog().log, memoryDigests)
      .find(({ name }) => name === 'kept-answers')
      ?.erase({ tenant: TenantId('erased'), target, sessions: [], descriptions: [] });
    await untilOneWaits();
    expect(await free('erased')).toEqual(['z']);
    await unlock();
    await erasing;
  });

  it('pass a request on when its holder is gone, and ignore the old holder', async () => {
    const gone = await claimed(request('gone'));
    await keys().abandon(request('gone'), gone);
    const next = await keys().claim(request('gone'), LEASE_MS);
    expect(next).toMatchObject({ kind: 'claimed', begunAfter: expect.any(String) });
    await keys().answer(request('gone'), gone, ANSWER);
    await keys().forget(request('gone'), gone);
    await keys().renew(request('gone'), gone, LEASE_MS);
    expect(await keys().claim(request('gone'), LEASE_MS)).toMatchObject({ kind: 'in-progress' });
    expect(await keys().claim(request('gone', 'that'), LEASE_MS)).toEqual({ kind: 'reused' });
  });

  it('are released if the request fails', async () => {
    const holder = await claimed(request('nothing'));
    await keys().forget(request('nothing'), holder);
    const again = await keys().claim(request('nothing', 'that'), LEASE_MS);
    expect(again).toEqual({ kind: 'claimed', holder: expect.any(String) });
  });

  it('expire after a day, and are deleted', async () => {
    await keys().answer(request('old'), await claimed(request('old')), ANSWER);
    await test.query(`update idempotency_key set expires_at = now() - interval '1 second' where key = 'old'`);
    expect(await keys().claim(request('unrelated'), LEASE_MS)).toMatchObject({ kind: 'claimed' });
    expect(await test.query(`select 1 from idempotency_key where key = 'old'`)).toEqual([]);
    await keys().answer(request('old'), await claimed(request('old')), ANSWER);
    await test.query(`update idempotency_key set expires_at = now() - interval '1 second' where key = 'old'`);
    const same = openIdempotencyKeys(test.database);
    await same.claim(request('unrelated'), LEASE_MS);
    expect(await same.claim(request('old', 'that'), LEASE_MS)).toMatchObject({ kind: 'claimed' });
  });
});
