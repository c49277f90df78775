import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Caller, Service } from '../support/service.js';

type Stored = { readonly role: string; readonly content: readonly object[] };
type Context = { readonly body: string };
type Exact = { readonly body: string; readonly request: object; readonly digest: string };
type Part =
  | { readonly message: string; readonly blocks?: readonly number[] }
  | { readonly content: readonly object[] };
type References = {
  readonly requestId: string;
  readonly digest: string;
  readonly messages: readonly (string | { readonly role: string; readonly parts: readonly Part[] })[];
};

/** Returns messages with the recorded blocks in the place of references. */
const expanded = async (
  messages: References['messages'],
  original: (id: string) => Promise<Stored>,
): Promise<readonly object[]> => {
  const whole = [];
  for (const message of messages) {
    if (typeof message === 'string') {
      const { role, content } = await original(message);
      whole.push({ role, content });
      continue;
    }
    const { role, parts } = message;
    const content = [];
    for (const part of parts) {
      const { content: blocks } = 'message' in part ? await original(part.message) : part;
      const isSent = (_: object, at: number) => !('blocks' in part) || part.blocks?.includes(at);
      content.push(...blocks.filter(isSent));
    }
    whole.push({ role, content });
  }
  return whole;
};

/** Every operation on a session and its compactions over HTTP. */
export const sessionTests = (service: () => Service): void =>
  describe('session through the API', () => {
    let api: Caller;
    beforeAll(async () => {
      api = await service().tenant('sessions');
    });

    const post = (path: string, body: unknown = {}) => api.call('POST', `/v1/sessions${path}`, body);
    const get = (path: string) => api.call('GET', `/v1/sessions${path}`);
    /** Opens a session with finished turns. */
    const given = async (session: string, turns = 6, settings: object = {}) => {
      await post('', { session, window: 20_000, ...settings });
      const messages = Array.from({ length: turns }, (_, turn) => [
        { id: `u${turn}`, role: 'user', content: `Question ${turn}: what about part ${turn} of the work?` },
        { id: `a${turn}`, role: 'assistant', content: `Answer ${turn}. ${'It is done. '.repeat(150)}` },
      ]).flat();
      const appended = await post(`/${session}/messages`, { messages, stopReason: 'end_turn' });
      expect(appended).toMatchObject({ status: 200, body: { appended: 2 * turns } });
    };
    const typesIn = async (session: string): Promise<readonly string[]> => {
      const { body } = await get(`/${session}/events`);
      const lines = String(body).trim().split('\n');
      return lines.map((line) => (JSON.parse(line) as { type: string }).type);
    };
    const compacted = async (session: string): Promise<string> => {
      const { body } = await post(`/${session}/compactions?wait=true`);
      expect(body).toMatchObject({ outcome: 'completed', compactionId: expect.any(String) });
      return String((body as { compactionId: string }).compactionId);
    };

    it('shows its state, settings, pins and budget', async () => {
      await given('shown', 1, { labels: { team: 'a' } });
      expect(await get('/shown')).toMatchObject({
        status: 200,
        body: {
          session: 'shown',
          status: 'open',
          labels: { team: 'a' },
          settings: { profile: { name: 'core' }, limits: { window: 20_000 } },
          budget: { window: 20_000, state: 'normal' },
          pins: [],
          isInTurn: false,
        },
      });
      expect(await get('/nobody')).toMatchObject({ status: 404, body: { code: 'session-not-found' } });
    });

    it('completes a turn, changes settings, pins and unpins', async () => {
      await post('', { session: 'managed', window: 20_000 });
      await post('/managed/messages', { messages: [{ role: 'user', content: 'Hi.' }] });
      expect(await post('/managed/complete-turn')).toMatchObject({ body: { turn: 1, completed: true } });
      expect(await post('/managed/complete-turn')).toMatchObject({ body: { completed: false } });
      const settings = { overrides: { warnAtShare: 0.5 }, window: 10_000 };
      expect(await api.call('PATCH', '/v1/sessions/managed/settings', settings)).toMatchObject({
        status: 200,
        body: { window: 10_000, profile: { warnAtShare: 0.5 } },
      });
      const pin = '/v1/sessions/managed/pins/rule';
      expect(await api.call('PUT', pin, { text: 'Never push.' })).toMatchObject({
        status: 200,
        body: [{ pinId: 'rule', kind: 'constraint', text: 'Never push.' }],
      });
      expect(await api.call('DELETE', pin)).toMatchObject({ status: 200, body: [] });
      expect(await api.call('DELETE', pin)).toMatchObject({ status: 404, body: { code: 'pin-not-found' } });
    });

    it('records the appends of many agents to one session at once', async () => {
      await post('', { session: 'shared' });
      const agent = async (name: number): Promise<void> => {
        for (let turn = 0; turn < 5; turn += 1) {
          const messages = [
            { id: `${name}-${turn}`, role: 'user', content: `Note ${turn} of agent ${name}.` },
          ];
          expect(await post('/shared/messages', { messages })).toMatchObject({ body: { appended: 1 } });
        }
      };
      await Promise.all(Array.from({ length: 32 }, (_, name) => agent(name)));
      expect((await typesIn('shared')).filter((type) => type === 'MessageAppended')).toHaveLength(160);
    });

    it('composes the next request, and names the remedies of a refusal', async () => {
      await given('composed', 1);
      const composed = await post('/composed/compose', {
        contributions: [{ name: 'time', text: 'noon' }],
        withBody: true,
      });
      expect(composed).toMatchObject({ status: 200, body: { outcome: 'composed', banner: null } });
      const { body, request, digest } = composed.body as Exact;
      expect(body).toBe(JSON.stringify(request));
      expect(digest).toBe(createHash('sha256').update(body).digest('hex'));
      expect((await post('/composed/compose')).body).not.toHaveProperty('body');

      await given('refused', 14, { profile: 'authorized', window: 8_000 });
      expect(await post('/refused/compose')).toMatchObject({
        status: 409,
        body: {
          code: 'request-refused',
          remedies: expect.arrayContaining([expect.objectContaining({ remedy: 'compact' })]),
          window: 8_000,
        },
      });
    });

    it('appends and composes in one call, which refers to the messages of the session', async () => {
      const talk = [
        { id: 's', role: 'system', content: 'Answer in French.' },
        { id: 'q1', role: 'user', content: 'Read both files.' },
        {
          ...{ id: 'a1', role: 'assistant' },
          content: [
            { type: 'thinking', thinking: 'Two calls.', signature: '' },
            { type: 'text', text: 'I read them.' },
            { type: 'tool_use', id: 'one', name: 'read', input: { path: 'one' } },
            { type: 'tool_use', id: 'two', name: 'read', input: { path: 'two' } },
          ],
        },
        {
          id: 'r2',
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: 'two', content: 'Second.' }],
        },
        { id: 'r1', role: 'user', content: [{ type: 'tool_result', tool_use_id: 'one', content: '' }] },
      ];
      await given('referring', 12);
      await compacted('referring');
      await post('/referring/messages', { messages: [{ id: 'after', role: 'user', content: 'Go on.' }] });
      const news = talk.filter(({ role }) => role !== 'system');
      const usage = { inputTokens: 900, outputTokens: 30 };
      const answer = await post('/referring/append-and-compose', { messages: news, usage });
      expect(answer).toMatchObject({ status: 200, body: { outcome: 'composed', banner: null } });
      const { messages, requestId, digest } = answer.body as References;
      const parts = messages.flatMap((message) => (typeof message === 'string' ? [] : message.parts));
      expect(messages).toEqual(expect.arrayContaining(['u10', 'a10']));
      expect(parts.slice(-3)).toEqual([
        { message: 'a1', blocks: [1, 2, 3] },
        { content: [{ type: 'tool_result', tool_use_id: 'one', content: '(no output)' }] },
        { message: 'r2' },
      ]);

      // With the messages in the place of their references, it is the request of which the digest is recorded.
      const original = async (id: string) => (await get(`/referring/messages/${id}`)).body as Stored;
      const context = (await get(`/referring/context?asOf=${requestId}`)).body as Context;
      expect(context).toMatchObject({ digestMatches: true });
      expect(await expanded(messages, original)).toEqual(JSON.parse(context.body).messages);

      const repeated = await post('/referring/append-and-compose', { messages: news });
      expect(repeated.body).toMatchObject({ digest, messages });
      const types = await typesIn('referring');
      expect(types.filter((type) => type === 'UsageReported')).toHaveLength(1);
      expect(types.slice(-3)).toEqual(['MessageAppended', 'UsageReported', 'RequestComposed']);

      await post('', { session: 'led', window: 20_000 });
      const led = await post('/led/append-and-compose', { messages: talk.slice(0, 2) });
      expect((led.body as References).messages).toEqual(['s', 'q1']);
    });

    it('appends also where the request is refused', async () => {
      await given('refused-later', 14, { profile: 'authorized', window: 8_000 });
      const asked = await post('/refused-later/append-and-compose', {
        messages: [{ id: 'last', role: 'user', content: 'One more.' }],
      });
      expect(asked).toMatchObject({ status: 409, body: { code: 'request-refused' } });
      expect(await get('/refused-later/messages/last')).toMatchObject({ status: 200 });
      const bill = { usage: { inputTokens: 1, outputTokens: 1 } };
      expect(await post('/refused-later/append-and-compose', bill)).toMatchObject({
        status: 400,
        body: { code: 'invalid-settings' },
      });
    });

    it('accepts reports of overflows and provider edits', async () => {
      await given('reported', 6);
      await post('/reported/compose');
      const overflow = { status: 400, message: 'prompt is too long: 210000 tokens > 200000 maximum' };
      expect(await post('/reported/report-overflow', overflow)).toMatchObject({
        status: 200,
        body: { outcome: 'compacted' },
      });
      expect(await post('/reported/report-overflow', { message: 'no' })).toMatchObject({
        body: { outcome: 'not-an-overflow' },
      });
      const edits = [{ type: 'clear_tool_uses_20250919', cleared_tool_uses: 2, cleared_input_tokens: 50 }];
      expect(await post('/reported/report-edits', edits)).toMatchObject({
        status: 200,
        body: {
          edited: { clearedToolUses: 2 },
          duplicateCompaction: {
            worker: 'provider',
            provider: { clearedToolUses: 2, clearedInputTokens: 50, compacted: false },
          },
        },
      });
      // A compaction has one double run, for any number of provider edits in its turn.
      expect(await post('/reported/report-edits', edits)).toMatchObject({
        status: 200,
        body: { edited: { clearedToolUses: 2 }, duplicateCompaction: null },
      });
      expect(await post('/reported/report-edits', { hello: 1 })).toMatchObject({ status: 400 });
    });

    it('is compacted, inspected and reverted', async () => {
      await given('compacted');
      expect(await post('/compacted/plan')).toMatchObject({
        status: 200,
        body: { plan: { profile: 'core' } },
      });
      expect(await post('/compacted/what-if', { profiles: ['core'] })).toMatchObject({
        body: { outcomes: [{ profile: 'core', isOwn: true }] },
      });
      const before = (await get('/compacted')).body as { revision: number };
      const id = await compacted('compacted');
      const after = (await get('/compacted')).body as { revision: number };
      expect(after).toMatchObject({ pivot: id, compactions: 1 });

      expect(await get(`/compacted/compactions/${id}`)).toMatchObject({
        status: 200,
        body: { kind: 'compaction' },
      });
      expect(await get(`/compacted/compactions/${id}/outcome`)).toMatchObject({
        body: { outcome: 'completed' },
      });
      expect(await get('/compacted/compactions/cmp_none')).toMatchObject({ status: 404 });
      expect(await get(`/compacted/diff?a=${before.revision}&b=${after.revision}`)).toMatchObject({
        status: 200,
        body: { summaryChanged: true },
      });
      expect(await get('/compacted/messages/u0/provenance')).toMatchObject({ body: { status: 'covered' } });
      expect(await get(`/compacted/context?asOf=${before.revision}&format=openai-chat`)).toMatchObject({
        status: 200,
        body: { revision: before.revision, pivot: null },
      });
      expect(await get('/compacted/context?format=openai-responses')).toMatchObject({
        status: 200,
        body: { request: { store: false, input: expect.any(Array) }, violations: [] },
      });
      expect(await get('/compacted/context?asOf=99999')).toMatchObject({ status: 404 });

      expect(await post(`/compacted/compactions/${id}/cancel`)).toMatchObject({ body: { cancelled: false } });
      expect(await post('/compacted/revert', { compactionId: id })).toMatchObject({
        status: 200,
        body: { compactionId: id, restored: null },
      });
      expect(await post('/compacted/revert')).toMatchObject({ status: 409 });
    });

    it('returns the location of a compaction that is still running', async () => {
      await given('asked', 6);
      const asked = await post('/asked/compactions');
      expect(asked).toMatchObject({ status: 202, body: { status: 'requested' } });
      const place = asked.headers.get('location') ?? '';
      expect(await api.call('GET', `${place}/outcome`)).toMatchObject({
        status: 200,
        body: { outcome: 'completed' },
      });
    });

    it('holds back automatic compactions, and cancels a waiting one', async () => {
      await given('held', 2);
      const held = { until: 'released', reason: 'a demonstration' };
      expect(await post('/held/defer', held)).toMatchObject({ status: 200, body: { until: 'released' } });
      expect(await get('/held')).toMatchObject({ body: { hold: { reason: 'a demonstration' } } });
      expect(await post('/held/release')).toMatchObject({ body: { released: true } });
      await post('/held/messages', { messages: [{ role: 'user', content: 'Go on.' }] });
      const { body } = await post('/held/compactions', { trigger: 'requested-mid-turn' });
      expect(body).toMatchObject({ status: 'deferred' });
      const { compactionId } = body as { compactionId: string };
      expect(await post(`/held/compactions/${compactionId}/cancel`)).toMatchObject({
        body: { cancelled: true },
      });
      expect(await get('/held')).toMatchObject({ body: { compaction: null } });
    });

    it('is forked, reset after confirmation only, and closed', async () => {
      await given('forked', 3);
      expect(await post('/forked/fork', { as: 'fork-of-it' })).toMatchObject({
        status: 201,
        body: { session: 'fork-of-it', from: { sessionId: 'forked' } },
      });
      expect(await post('/forked/reset')).toMatchObject({
        status: 409,
        body: { code: 'confirmation-required' },
      });
      expect(await post('/forked/reset', { confirm: true })).toMatchObject({
        status: 200,
        body: { reset: true },
      });
      expect(await post('/forked/close')).toMatchObject({ status: 200, body: { closed: true } });
      expect(await post('/forked/messages', { messages: [{ role: 'user', content: 'x' }] })).toMatchObject({
        status: 409,
        body: { code: 'session-closed' },
      });
    });

    it('is exported as JSON lines, and imported again unchanged', async () => {
      await given('exported', 2);
      const { status, headers, body } = await get('/exported/export');
      expect(status).toBe(200);
      expect(headers.get('content-type')).toContain('application/x-ndjson');
      const lines = String(body).trimEnd().split('\n');
      expect(lines.map((line) => JSON.parse(line))).toMatchObject([
        { id: 'u0' },
        { id: 'a0' },
        { id: 'u1' },
        { id: 'a1' },
      ]);
      expect(await get('/exported/export?message=a1')).toMatchObject({ status: 200 });
      expect(await get('/exported/export?message=zz')).toMatchObject({ status: 404 });

      const transcript = JSON.stringify([
        { role: 'user', content: 'Hi.' },
        { role: 'assistant', content: 'Hello.' },
      ]);
      const type = { 'content-type': 'application/octet-stream' };
      const imports = '/v1/imports?name=brought.json&window=20000';
      expect(await api.call('POST', imports, transcript, type)).toMatchObject({
        status: 200,
        body: { sessions: [{ messages: 2, turns: 1 }], skipped: [] },
      });
      expect(await api.call('POST', imports, transcript)).toMatchObject({ status: 415 });
      expect(await api.call('POST', imports, '<html>', type)).toMatchObject({
        status: 415,
        body: { code: 'unknown-format' },
      });
    });

    it('is listed with others, page by page', async () => {
      for (const name of ['p1', 'p2', 'p3']) await post('', { session: name });
      const listed = new Set<string>();
      let cursor = '';
      do {
        const { body } = await get(`?limit=2${cursor}`);
        const page = body as { items: { session: string }[]; next: string | null };
        expect(page.items.length).toBeLessThanOrEqual(2);
        for (const { session } of page.items) listed.add(session);
        cursor = page.next === null ? '' : `&cursor=${page.next}`;
      } while (cursor !== '');
      expect([...listed]).toEqual(expect.arrayContaining(['p1', 'p2', 'p3']));
      expect(await get('?cursor=hello')).toMatchObject({ status: 400 });
      expect(await get('/p1/compactions')).toMatchObject({ status: 200, body: { items: [], next: null } });
      expect(await get('/p9/compactions')).toMatchObject({ status: 404 });
    });

    it('runs under profiles that can be read', async () => {
      expect(await api.call('GET', '/v1/profiles')).toMatchObject({ status: 200, body: expect.any(Array) });
      expect(await api.call('GET', '/v1/profiles/core')).toMatchObject({ body: { profile: 'core' } });
      expect(await api.call('GET', '/v1/profiles/none')).toMatchObject({ status: 400 });
    });
  });
