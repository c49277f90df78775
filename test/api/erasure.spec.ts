import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { filesWith } from '@app/deployments';
import { verifyBundle } from '@app/proof';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { ApiServer } from './support/api-server.js';

type Body = Readonly<Record<string, unknown>>;

/** Guarantee: erased content can be read nowhere any more, and all other content as before. */
describe('erasure', () => {
  let api: ApiServer;
  let data: string;
  const start = () => ApiServer.start({ PALIMPSEST_DATA: data });
  beforeAll(async () => {
    data = await mkdtemp(join(tmpdir(), 'palimpsest-erasure-'));
    api = await start();
  });
  afterAll(async () => {
    await api.stop();
    await rm(data, { recursive: true, force: true });
  });
  const read = async (path: string): Promise<string> => JSON.stringify((await api.call('GET', path)).body);
  const ok = async (method: string, path: string, body?: Body, headers = {}): Promise<Body> => {
    const answer = await api.call(method, path, body, headers);
    expect([path, answer.status, answer.status < 300 || answer.body]).toEqual([path, answer.status, true]);
    return answer.body as Body;
  };
  const open = (session: string, more: Body = {}) =>
    ok('POST', '/v1/sessions', { session, window: 200_000, ...more });
  const append = (session: string, ...messages: readonly Body[]) =>
    ok('POST', `/v1/sessions/${session}/messages`, { messages });
  const words = (text: string) => `${text} ${'word '.repeat(400)}`;
  const turns = (about: string, subjects: readonly string[], count = 6) =>
    Array.from({ length: count }, (_, turn) => [
      { role: 'user', content: words(`${about} asks ${turn}`), subjects },
      { role: 'assistant', content: `${about} gets an answer ${turn}` },
    ]).flat();

  /**
   * Locks rows or tables of the database with a statement. `reached` resolves when a statement of the service that begins so waits
   * for the lock, and `released` ends it.
   */
  const locked = async (statement: string) => {
    const { postgresUrl } = JSON.parse(await readFile(join(data, 'servers.json'), 'utf8'));
    // A transaction sees the activity of one moment.
    const holder = new pg.Client({ connectionString: postgresUrl });
    const watcher = new pg.Client({ connectionString: postgresUrl });
    await Promise.all([holder.connect(), watcher.connect()]);
    await holder.query('begin');
    await holder.query(statement);
    return {
      reached: async (start: string): Promise<void> => {
        const waiting = `select 1 from pg_stat_activity
          where wait_event_type = 'Lock' and starts_with(ltrim(query, E' \\n'), $1)`;
        while ((await watcher.query(waiting, [start])).rowCount === 0) await pause(20);
      },
      released: async (): Promise<void> => {
        await holder.query('rollback');
        await Promise.all([holder.end(), watcher.end()]);
      },
    };
  };
  /** The number of the segment of PostgreSQL's write-ahead log that is written to. */
  const segment = async (): Promise<number> => {
    const { postgresUrl } = JSON.parse(await readFile(join(data, 'servers.json'), 'utf8'));
    const client = new pg.Client({ connectionString: postgresUrl });
    await client.connect();
    const { rows } = await client.query(
      'select segment_number::integer as number from pg_split_walfile_name(pg_walfile_name(pg_current_wal_lsn()))',
    );
    await client.end();
    return rows[0].number;
  };
  const IN_PROGRESS = { status: 503, body: { code: 'erasure-in-progress' } };

  it('of a subject leaves markers in its place, and a valid context', async () => {
    await open('s', { system: 'be kind' });
    const call = { type: 'tool_use', id: 'c', name: 'lookup', input: { who: 'ada-lovelace' } };
    const messages = [
      { role: 'user', content: 'about ada-lovelace', subjects: ['ada'] },
      { role: 'assistant', content: [call] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c', content: 'ada-lovelace, 36' }] },
      { role: 'assistant', content: 'she is called ada-lovelace' },
      { role: 'user', content: 'about bob', subjects: ['bob'] },
    ];
    await append('s', ...messages);
    const erased = await ok('POST', '/v1/erasures', { subject: 'ada', reason: 'asked for' });
    expect(erased).toMatchObject({
      ...{ state: 'completed', target: { scope: 'subject' } },
      receipt: { counts: { keys: 1, sessions: 1 } },
    });
    expect(JSON.stringify(erased)).not.toContain('ada');
    for (const path of ['events', 'context', 'context?format=openai-chat', 'export']) {
      const shown = await read(`/v1/sessions/s/${path}`);
      expect(shown).not.toContain('ada-lovelace');
      expect(shown).toContain('about bob');
    }
    expect((await api.call('GET', '/v1/sessions/s/context')).body).toMatchObject({
      violations: [],
      systemPrompt: 'be kind',
      request: {
        messages: [
          { role: 'user', content: [{ type: 'text', text: '[erased]' }] },
          { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 'lookup', input: {} }] },
          { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c', content: '[erased]' }] },
          { role: 'assistant', content: [{ type: 'text', text: '[erased]' }] },
          { role: 'user', content: [{ type: 'text', text: 'about bob' }] },
        ],
      },
    });
    const { body: proof } = await api.call('GET', '/v1/sessions/s/proof');
    const { outcome, steps } = await verifyBundle(Buffer.from(String(proof)));
    expect([outcome, steps.find(({ step }) => step === 'erasure')]).toMatchObject([
      'valid',
      { detail: '1 receipt for 1 destroyed key' },
    ]);
    expect(await ok('GET', '/v1/sessions/s')).toMatchObject({ lastErasure: erased.erasure });
    const { items } = (await ok('GET', '/v1/sessions/s/messages')) as { items: { id: string }[] };
    expect(await ok('GET', `/v1/sessions/s/messages/${items[0]?.id}/provenance`)).toMatchObject({
      erased: { erasure: erased.erasure, scope: 'subject' },
    });
    const isMark = (one: Body): boolean => one.erasure === erased.erasure && one.type === 'ContentErased';
    // Marks are rows, which follow the log.
    for (let found = false; !found; ) {
      const { marks } = (await ok('GET', '/v1/sessions/s/occupancy')) as { marks: Body[] };
      found = marks.some(isMark);
    }
    // A client that still has the messages does not bring them back, and the subject may come back itself.
    expect(await append('s', ...messages)).toMatchObject({ appended: 0, known: 5 });
    await append('s', { role: 'user', content: 'ada is here again', subjects: ['ada'] });
    expect(await read('/v1/sessions/s/context')).toContain('ada is here again');
  });

  it('of a subject erases summaries, forks and children that can quote it, and the session goes on', async () => {
    await open('mixed', { system: 'be careful' });
    await append('mixed', ...turns('zoe-zimmer', ['zoe']), ...turns('max-mueller', ['max']));
    const wait = '/v1/sessions/mixed/compactions?wait=true';
    const { compactionId } = await ok('POST', wait, {});
    expect(await read('/v1/sessions/mixed/context')).toContain('zoe-zimmer');
    await ok('POST', '/v1/sessions/mixed/fork', { as: 'forked' });
    await open('child', { parent: 'mixed', mandate: 'find out about zoe-zimmer' });
    const keyed = { 'idempotency-key': 'zoes-context' };
    const composed = await ok('POST', '/v1/sessions/mixed/compose', {}, keyed);
    expect(JSON.stringify(composed)).toContain('zoe-zimmer');
    const { erasure } = await ok('POST', '/v1/erasures', { subject: 'zoe', reason: 'asked for' });
    const explained = `/v1/sessions/mixed/compactions/${String(compactionId)}`;
    expect(await ok('GET', explained)).toMatchObject({
      outcome: { status: 'completed', standing: { is: 'erased', erasure, restored: null } },
    });
    for (const session of ['mixed', 'forked', 'child'])
      for (const path of ['events', 'context', 'export'])
        expect([
          session,
          path,
          (await read(`/v1/sessions/${session}/${path}`)).includes('zoe-zimmer'),
        ]).toEqual([session, path, false]);
    expect(JSON.stringify(await ok('POST', '/v1/sessions/mixed/compose', {}, keyed))).not.toContain(
      'zoe-zimmer',
    );
    const context = (await api.call('GET', '/v1/sessions/mixed/context')).body;
    expect(context).toMatchObject({ violations: [], pivot: null, systemPrompt: 'be careful' });
    for (let turn = 0; turn < 6; turn += 1)
      expect(JSON.stringify(context)).toContain(`max-mueller asks ${turn}`);
    // Compacted again, the summary is of what remains; every earlier state can still be read.
    expect(await ok('POST', wait, {})).toMatchObject({ outcome: 'completed' });
    expect(await read('/v1/sessions/mixed/context')).toContain('max-mueller');
    const { revision = 0 } = (await ok('GET', '/v1/sessions/mixed/context')) as { revision?: number };
    for (let at = 0; at <= revision; at += 1) await ok('GET', `/v1/sessions/mixed/context?asOf=${at}`);
    await ok('GET', '/v1/sessions/mixed/diff?a=3&b=20');
    // The first cause stays: a later compaction supersedes none that the erasure has ended.
    expect(await ok('GET', explained)).toMatchObject({ outcome: { standing: { is: 'erased', erasure } } });
    await append('forked', { role: 'user', content: 'and on it goes' });
  });

  it('of a subject is not undone by forks and children that are opened meanwhile', async () => {
    await open('source');
    await append('source', ...turns('yan-young', ['yan']));
    const copies = Array.from({ length: 8 }, (_, at) => ({
      as: `copy-${at}`,
      mandate: `about yan-young ${at}`,
    }));
    const made = copies.map(async ({ as, mandate }, at) => {
      // One after the other, so that some begin before the erasure and some while it goes on.
      for (let wait = 0; wait < at; wait += 1) await read('/v1/erasures');
      const { status } = await api.call('POST', '/v1/sessions/source/fork', { as });
      const child = { session: `child-${as}`, window: 200_000, parent: 'source', mandate };
      const opened = await api.call('POST', '/v1/sessions', child);
      return [status, opened.status];
    });
    await ok('POST', '/v1/erasures', { subject: 'yan', reason: 'asked for' });
    for (const status of (await Promise.all(made)).flat()) expect([201, 503]).toContain(status);
    for (const { as } of copies)
      expect([as, (await read(`/v1/sessions/${as}/export`)).includes('yan-young')]).toEqual([as, false]);
  });

  it('of a session erases all of it, its title and its labels, and keeps its shape', async () => {
    await open('whole', { system: 'whole-secret', title: 'title-secret', labels: { of: 'label-secret' } });
    await append('whole', { role: 'user', content: 'message-secret' });
    await ok('POST', '/v1/sessions/whole/complete-turn', { stopReason: 'PostgreSQL stores no \u0000' });
    expect(await ok('POST', '/v1/erasures', { session: 'whole', reason: 'closed account' })).toMatchObject({
      receipt: { counts: { keys: 1, sessions: 1 } },
    });
    const events = await read('/v1/sessions/whole/events');
    for (const secret of ['whole-secret', 'title-secret', 'label-secret', 'message-secret']) {
      expect(events).not.toContain(secret);
      expect(await read('/v1/sessions')).not.toContain(secret);
    }
    await append('whole', { role: 'user', content: 'it goes on' });
    expect(await read('/v1/sessions/whole/context')).toContain('it goes on');
    const rows = await read('/v1/audit?type=ErasureCompleted');
    expect(rows).toContain('ErasureCompleted');
  });

  it('of a tenant erases all of it, and nothing of others', async () => {
    const { key } = (await ok('POST', '/v1/tenants', { tenant: 'leaving', name: 'Leaving' })) as {
      key?: string;
    };
    const theirs = { authorization: `Bearer ${key}` };
    const session = { session: 'theirs', window: 200_000, title: 'tenant-secret', customer: 'tenant-secret' };
    const messages = [{ role: 'user', content: 'tenant-secret' }];
    await ok('POST', '/v1/sessions', session, theirs);
    await ok('POST', '/v1/sessions/theirs/messages', { messages }, theirs);
    await open('ours');
    await append('ours', { role: 'user', content: 'it stays' });
    const erased = await ok('POST', '/v1/erasures', { tenant: true, reason: 'contract ended' }, theirs);
    expect(erased).toMatchObject({
      state: 'completed',
      receipt: { tenantKey: expect.any(String), counts: { sessions: 1 } },
    });
    for (const path of ['export', 'events', 'context', ''])
      expect(
        JSON.stringify(await api.call('GET', `/v1/sessions/theirs/${path}`, undefined, theirs)),
      ).not.toContain('tenant-secret');
    expect(await read('/v1/sessions/ours/context')).toContain('it stays');
    await ok(
      'POST',
      '/v1/sessions/theirs/messages',
      { messages: [{ role: 'user', content: 'anew' }] },
      theirs,
    );
  });

  it('of a tenant tells a repeated request to wait, and then answers it', async () => {
    const { key } = (await ok('POST', '/v1/tenants', { tenant: 'gone', name: 'Gone' })) as { key?: string };
    const theirs = { authorization: `Bearer ${key}` };
    const keyed = { ...theirs, 'idempotency-key': 'say-1' };
    const messages = [{ role: 'user', content: 'tenant-secret' }];
    const say = () => api.call('POST', '/v1/sessions/said/messages', { messages }, keyed);
    await ok('POST', '/v1/sessions', { session: 'said', window: 200_000, title: 'title-secret' }, theirs);
    expect((await say()).status).toBe(200);
    await ok('GET', '/v1/audit', undefined, theirs); // The rows are there.
    // The erasure has destroyed the tenant's key when it comes to the audit, and keeps the answers until then.
    const rows = await locked("select 1 from read.audit_events where tenant = 'gone' for update");
    const erased = ok('POST', '/v1/erasures', { tenant: true, reason: 'contract ended' }, theirs);
    await rows.reached('update read.audit_events');
    const told = await say();
    expect(told).toMatchObject(IN_PROGRESS);
    expect(told.headers.get('retry-after')).toBe('5');
    await rows.released();
    expect(await erased).toMatchObject({ state: 'completed' });
    expect((await say()).status).toBe(200);
    const { items } = await ok('GET', '/v1/sessions/said/messages', undefined, theirs);
    expect(items).toHaveLength(1);
  });

  it('of many sessions at the same time rewrites the pages of tables once for all that wait', async () => {
    const sessions = Array.from({ length: 12 }, (_, at) => `together-${at}`);
    await Promise.all(sessions.map((session) => open(session, { system: 'secret' })));
    const isTold = async (session: string): Promise<boolean> =>
      (await read(`/v1/sessions/${session}/events`)).includes('ContentErased');
    const erase = (session: string) => ok('POST', '/v1/erasures', { session, reason: 'asked for' });
    const before = await segment();
    const tables = await locked('lock table keys.former_tenant_key in access exclusive mode');
    const first = erase(sessions[0] ?? '');
    await tables.reached('select pg_total_relation_size');
    const others = sessions.slice(1).map(erase);
    for (const session of sessions) while (!(await isTold(session))) await pause(20);
    await tables.released();
    for (const { state } of await Promise.all([first, ...others])) expect(state).toBe('completed');
    // Each rewrite is followed by a new segment.
    expect((await segment()) - before).toBeLessThan(sessions.length / 2);
  });

  it('of a session refuses a page with text that was made before and would be sent after it', async () => {
    await open('paged');
    await append('paged', { role: 'user', content: 'page-secret' });
    const page = () => api.call('GET', '/v1/sessions/paged/page?content=clear');
    expect(String((await page()).body)).toContain('page-secret');
    // A page asks for the head of the log when its answers are recorded.
    const logs = await locked('lock table transparency.log in access exclusive mode');
    const paged = page();
    await logs.reached('select log.origin, log.size');
    await ok('POST', '/v1/erasures', { session: 'paged', reason: 'asked for' });
    await logs.released();
    const refused = await paged;
    expect(refused).toMatchObject(IN_PROGRESS);
    expect(refused.headers.get('retry-after')).toBe('5');
    const again = await page();
    expect([again.status, String(again.body).includes('page-secret')]).toEqual([200, false]);
  });

  it('takes another person where the tenant wants two', async () => {
    const other = (await ok('POST', '/v1/keys', { role: 'privacy' })) as { key?: string };
    const asOther = { authorization: `Bearer ${other.key}` };
    await ok('PUT', '/v1/erasure-policy', { people: 2 });
    await open('eyes');
    await append('eyes', { role: 'user', content: 'four-eyes-secret', subjects: ['eve'] });
    const { erasure } = await ok('POST', '/v1/erasures', { subject: 'eve', reason: 'asked for' });
    const approval = `/v1/erasures/${erasure}/approval`;
    expect(await api.call('POST', approval)).toMatchObject({
      status: 403,
      body: { code: 'approval-by-requester' },
    });
    expect(await read('/v1/sessions/eyes/context')).toContain('four-eyes-secret');
    expect(await ok('POST', approval, undefined, asOther)).toMatchObject({ state: 'completed' });
    expect(await read('/v1/sessions/eyes/context')).not.toContain('four-eyes-secret');
    expect(await api.call('POST', approval, undefined, asOther)).toMatchObject({ status: 409 });
    const withdrawn = await ok('POST', '/v1/erasures', { subject: 'eve', reason: 'a mistake' });
    const withdrawal = `/v1/erasures/${withdrawn.erasure}/withdrawal`;
    expect(await ok('POST', withdrawal, { reason: 'a mistake' })).toMatchObject({ state: 'withdrawn' });
    await ok('PUT', '/v1/erasure-policy', { people: 1 });
  });

  it('is requested and withdrawn for many at the same time', async () => {
    await ok('PUT', '/v1/erasure-policy', { people: 2 });
    await open('many');
    const all = Array.from({ length: 120 }, () => ({ session: 'many', reason: 'a mistake' }));
    const requested = await Promise.all(all.map((one) => ok('POST', '/v1/erasures', one)));
    const withdrawn = requested.map(({ erasure }) =>
      ok('POST', `/v1/erasures/${erasure}/withdrawal`, { reason: 'a mistake' }),
    );
    expect(new Set((await Promise.all(withdrawn)).map(({ state }) => state))).toEqual(new Set(['withdrawn']));
    await ok('PUT', '/v1/erasure-policy', { people: 1 });
  });

  it.each([
    [{ reason: 'nothing is named' }, 'invalid-request'],
    [{ subject: 'a', session: 's', reason: 'two are named' }, 'invalid-request'],
    [{ subject: '', reason: 'empty' }, 'invalid-request'],
    [{ subject: 'a' }, 'invalid-request'],
    [{ subject: 'customer-42', reason: 'Customer-42 has asked' }, 'invalid-request'],
    [{ session: 'no-such-session', reason: 'x' }, 'session-not-found'],
  ])('refuses %j', async (body, code) => {
    expect((await api.call('POST', '/v1/erasures', body)).body).toMatchObject({ code });
  });

  it('is not for agents', async () => {
    const { key } = (await ok('POST', '/v1/keys', { role: 'agent' })) as { key?: string };
    const as = { authorization: `Bearer ${key}` };
    const answer = await api.call('POST', '/v1/erasures', { subject: 'a', reason: 'x' }, as);
    expect(answer).toMatchObject({ status: 403, body: { code: 'forbidden' } });
  });

  it('is finished by the next start if the process is killed, and leaves nothing on disk', async () => {
    await open('killed');
    await append('killed', { role: 'user', content: 'killed-secret', subjects: ['kim'] });
    const asked = api.call('POST', '/v1/erasures', { subject: 'kim', reason: 'asked for' }).catch(() => {});
    while (!(await read('/v1/erasures')).includes('"in-progress"'))
      if ((await read('/v1/sessions/killed/context')).includes('killed-secret') === false) break;
    await api.kill();
    await asked;
    api = await start();
    while ((await read('/v1/erasures')).includes('"in-progress"')) await pause(20);
    expect(await read('/v1/sessions/killed/context')).not.toContain('killed-secret');
    await append('killed', { role: 'user', content: 'kim is here again', subjects: ['kim'] });
    await api.stop();
    const erased = [
      'ada-lovelace',
      'zoe-zimmer',
      'whole-secret',
      'message-secret',
      'four-eyes',
      'killed-secret',
      'yan-young',
      'tenant-secret',
      'page-secret',
    ];
    expect(await filesWith(data, [...erased, 'title-secret', 'label-secret'])).toEqual({});
    api = await start();
  });
});
