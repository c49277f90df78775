import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { ApiServer } from '../support/api-server.js';

/** Guarantee: a hold beats a retention period, both beat an erasure, and a deferred erasure goes on when they end. */
describe('an erasure of held and kept sessions', () => {
  let home: string;
  let api: ApiServer;
  /** With the role of the service. */
  let database: pg.Client;
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'palimpsest-held-'));
    api = await ApiServer.start({ PALIMPSEST_DATA: home });
    const { postgresUrl } = JSON.parse(await readFile(join(home, 'servers.json'), 'utf8'));
    database = new pg.Client({ connectionString: postgresUrl });
    await database.connect();
  });
  afterAll(async () => {
    await database.end();
    await api.stop();
    await rm(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  });

  const opened = async (session: string, subject: string): Promise<void> => {
    await api.call('POST', '/v1/sessions', { session, window: 200_000 });
    const messages = [{ role: 'user', content: `about ${subject}-lovelace`, subjects: [subject] }];
    const { status } = await api.call('POST', `/v1/sessions/${session}/messages`, { messages });
    expect(status).toBe(200);
  };
  const hold = (session: string, matter: string) =>
    api.call('PUT', `/v1/sessions/${session}/holds/${matter}`, { reason: 'litigation' });
  const release = (session: string, matter: string) =>
    api.call('POST', `/v1/sessions/${session}/holds/${matter}/release`, { reason: 'settled' });
  const keep = (session: string, mode: string, until: string) =>
    api.call('PUT', `/v1/sessions/${session}/retention`, { mode, until });
  const erase = async (target: object) =>
    (await api.call('POST', '/v1/erasures', { ...target, reason: 'asked for' })).body as {
      readonly erasure: string;
      readonly state: string;
      readonly deferred: { readonly because: string; readonly until: string | null } | null;
    };
  const stateOf = async (erasure: string) =>
    ((await api.call('GET', `/v1/erasures/${erasure}`)).body as { readonly state: string }).state;
  const contentOf = async (session: string): Promise<string> =>
    JSON.stringify((await api.call('GET', `/v1/sessions/${session}/export`)).body);

  it('names the hold, and is carried out when the last one is released', async () => {
    await opened('held', 'ada');
    await hold('held', 'case-1');
    await hold('held', 'case-2');
    const { erasure, state, deferred } = await erase({ session: 'held' });
    expect({ state, deferred }).toEqual({
      state: 'deferred',
      deferred: { because: 'legal hold "case-1" of session "held"', until: null },
    });
    await release('held', 'case-1');
    expect(await stateOf(erasure)).toBe('deferred');
    expect(await contentOf('held')).toContain('ada-lovelace');
    await release('held', 'case-2');
    expect(await stateOf(erasure)).toBe('completed');
    expect(await contentOf('held')).not.toContain('ada-lovelace');
  });

  it('of a subject waits for every session with its content, and names the date', async () => {
    await opened('free', 'bob');
    await opened('kept', 'bob');
    const until = '2099-01-01T00:00:00.000Z';
    await keep('kept', 'governance', until);
    const { erasure, state, deferred } = await erase({ subject: 'bob' });
    expect({ state, until: deferred?.until }).toEqual({ state: 'deferred', until });
    expect(await contentOf('free')).toContain('bob-lovelace');
    await api.call('POST', '/v1/sessions/kept/retention/remove', { reason: 'the contract has ended' });
    expect(await stateOf(erasure)).toBe('completed');
    for (const session of ['free', 'kept']) expect(await contentOf(session)).not.toContain('bob-lovelace');
  });

  it('is deferred by a hold that is placed at the same time, or refuses it', async () => {
    type Held = {
      readonly status: number;
      readonly headers: Headers;
      readonly body: { readonly at?: string; readonly code?: string };
    };
    const race = async (session: string, at: number): Promise<void> => {
      await opened(session, 'kim');
      const erasing = erase({ session });
      for (let wait = 0; wait < at; wait += 1) await contentOf(session);
      const { status, headers, body } = (await hold(session, 'case-3')) as Held;
      const retryAfter = headers.get('retry-after');
      const { erasure, state } = await erasing;
      const content = await contentOf(session);
      if (state === 'deferred') {
        expect([session, status, body.code]).toEqual([session, 200, undefined]);
        expect([session, content.includes('kim-lovelace')]).toEqual([session, true]);
        return;
      }
      expect([session, state, content.includes('kim-lovelace')]).toEqual([session, 'completed', false]);
      if (status === 503) expect([body.code, retryAfter]).toEqual(['erasure-in-progress', '5']);
      else {
        const shown = (await api.call('GET', `/v1/erasures/${erasure}`)).body;
        const { receipt } = shown as { readonly receipt: { readonly completedAt: string } };
        expect(String(body.at) >= receipt.completedAt).toBe(true);
      }
    };
    // More than the service has connections to the database.
    const waits = [0, 1, 2, 3].flatMap((at) => [at, at, at, at, at, at]);
    await Promise.all(waits.map((at, index) => race(`race-${index}`, at)));
  });

  it('is carried out beside a backup that reads its tables, and so are other requests', async () => {
    await opened('in-backup', 'lea');
    await database.query('begin');
    await database.query('select from keys.content_key limit 1');
    let isCarriedOut = false;
    const erasing = erase({ session: 'in-backup' }).finally(() => {
      isCarriedOut = true;
    });
    while (!isCarriedOut) await opened('beside', 'joe');
    await database.query('rollback');
    const { erasure, state } = await erasing;
    expect(state).toBe('completed');
    const { receipt } = (await api.call('GET', `/v1/erasures/${erasure}`)).body as {
      readonly receipt: { readonly counts: { readonly places: Readonly<Record<string, number>> } };
    };
    expect(receipt.counts.places['database-pages']).toBe(5);
    expect(await contentOf('in-backup')).not.toContain('lea-lovelace');
  });

  it('of the whole tenant waits for a period in the mode compliance, which nothing ends', async () => {
    await opened('compliant', 'eve');
    await keep('compliant', 'compliance', '2099-01-01T00:00:00Z');
    const { state, deferred } = await erase({ tenant: true });
    expect({ state, because: deferred?.because }).toEqual({
      state: 'deferred',
      because: 'retention of session "compliant" in the mode compliance',
    });
    expect(await contentOf('compliant')).toContain('eve-lovelace');
  });

  it('in the mode compliance is refused by the database as well as by the service', async () => {
    const kept = "tenant = 'default' and session = 'compliant'";
    while ((await database.query(`select from keys.kept where ${kept}`)).rowCount === 0)
      await contentOf('compliant');
    const codeOf = (statement: string) =>
      database.query(statement).then(
        () => 'done',
        ({ code }: pg.DatabaseError) => code,
      );
    for (const statement of [
      `update keys.kept set until = now() where ${kept}`,
      `update keys.kept set session = 'other' where ${kept}`,
      `delete from keys.kept where ${kept}`,
      `update keys.content_key set wrapped = null, erasure = 'e', erased_at = now() where ${kept}`,
      `update keys.content_key set wrapped = 'v1.another' where ${kept}`,
      `update keys.content_key set id = 'another' where ${kept}`,
      `delete from keys.content_key where ${kept}`,
      "delete from keys.tenant_key where tenant = 'default'",
      "update keys.tenant_key set tenant = 'other' where tenant = 'default'",
    ])
      expect([statement, await codeOf(statement)]).toEqual([statement, 'PK001']);
    for (const statement of [
      'truncate keys.content_key',
      'truncate keys.kept',
      'truncate keys.tenant_key',
      'delete from blob',
    ])
      expect([statement, await codeOf(statement)]).toEqual([statement, 'PK002']);
    // A key that is overwritten as a rotation does it stays beside.
    await database.query("update keys.tenant_key set wrapped = 'lost' where tenant = 'default'");
    expect(await codeOf('delete from keys.former_tenant_key')).toBe('PK001');
    await database.query(`update keys.tenant_key as key set wrapped = former.wrapped from keys.former_tenant_key as former
      where key.tenant = former.tenant and former.wrapped <> 'lost'`);
    expect(await contentOf('compliant')).toContain('eve-lovelace');
  });

  it('is deferred where the database keeps a session that the log does not', async () => {
    await opened('kept-by-rows', 'joe');
    await database.query("insert into keys.kept values ('default', 'kept-by-rows', '2098-01-01T00:00:00Z')");
    const { state, deferred } = await erase({ session: 'kept-by-rows' });
    expect({ state, deferred }).toEqual({
      state: 'deferred',
      deferred: {
        because: 'retention of session "kept-by-rows" in the mode compliance',
        until: '2098-01-01T00:00:00.000Z',
      },
    });
    await opened('kept-by-rows', 'joe again');
    expect(await contentOf('kept-by-rows')).toContain('joe again-lovelace');
  });
});
