import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApiServer } from './support/api-server.js';
import { eventsOf, expectRebuilt } from './support/rebuilt.js';

const long = (text: string): string =>
  `${text} ${'The quick brown fox jumps over the lazy dog. '.repeat(30)}`;

/** Guarantee: every composed request can be rebuilt from the log, byte for byte, as of any time. */
describe('rebuilt API requests', () => {
  let api: ApiServer;
  beforeAll(async () => {
    api = await ApiServer.start();
  });
  afterAll(() => api.stop());

  const done = async (method: string, path: string, given?: unknown): Promise<Record<string, unknown>> => {
    const { status, body } = await api.call(method, path, given);
    expect([method, path, status < 300 ? 'ok' : body]).toEqual([method, path, 'ok']);
    return Object(body);
  };
  const open = (session: string, more: object = {}) =>
    done('POST', '/v1/sessions', {
      session,
      window: 6_000,
      system: 'Be brief.',
      model: 'claude-opus-4-6',
      ...more,
    });
  const say = (session: string, role: string, text: string) =>
    done('POST', `/v1/sessions/${session}/messages`, { messages: [{ role, content: long(text) }] });
  const compose = (session: string, given: object = {}) =>
    done('POST', `/v1/sessions/${session}/compose`, given);
  const talk = async (session: string, from: number, to: number, given: object = {}) => {
    for (let turn = from; turn <= to; turn += 1) {
      const question = { role: 'user', content: long(`Question ${turn}.`) };
      if (turn % 3 > 0 && !('format' in given))
        await done('POST', `/v1/sessions/${session}/append-and-compose`, { messages: [question], ...given });
      else {
        await say(session, question.role, `Question ${turn}.`);
        await compose(session, given);
      }
      await say(session, 'assistant', `Answer ${turn}.`);
    }
  };

  // Holds rule 6.14.
  it('are identical across compactions, pins, contributions, settings, model switches, a revert and a fork', async () => {
    await open('life', { tools: [{ name: 'read', input_schema: { type: 'object' } }] });
    await talk('life', 1, 3, { contributions: [{ name: 'todo', text: 'One thing is left.' }] });
    await done('PUT', '/v1/sessions/life/pins/rule', { text: 'Never delete.' });
    await talk('life', 4, 12, { format: 'openai-chat' });
    await done('PATCH', '/v1/sessions/life/settings', {
      ...{ model: 'claude-sonnet-4-5', overrides: { maxOutputTokens: 900 } },
      ...{ system: 'You are another one.', tools: [] },
    });
    await talk('life', 13, 14, { contributions: [{ name: 'todo', text: 'Two things are left.' }] });
    const { compactionId } = await done('POST', '/v1/sessions/life/compactions?wait=true', {});
    await compose('life', { format: 'openai-responses' });
    await done('POST', `/v1/sessions/life/revert`, { compactionId, reason: 'for once' });
    await compose('life');
    await talk('life', 15, 18);

    const rebuilt = await expectRebuilt(api, 'life');
    expect(rebuilt.length).toBeGreaterThan(18);
    expect(rebuilt[0]?.body).toContain('One thing is left.');
    expect(rebuilt[0]?.view).toMatchObject({ systemPrompt: 'Be brief.', tools: [{ name: 'read' }] });
    expect(rebuilt.at(-1)?.view).toMatchObject({ systemPrompt: 'You are another one.', tools: [] });
    expect(
      (await eventsOf(api, 'life')).filter(({ type }) => type === 'CompactionApplied').length,
    ).toBeGreaterThan(1);

    const at = rebuilt[10];
    await done('POST', '/v1/sessions/life/fork', { as: 'other', at: at?.requestId });
    await talk('other', 1, 2);
    expect((await expectRebuilt(api, 'other')).length).toBe(2);
  });

  // Holds rule 6.14.
  it('are identical on ladder rungs', async () => {
    await open('ladder', { window: 20_000 });
    await say('ladder', 'user', 'Read all.');
    for (let at = 0; at < 6; at += 1) {
      const messages = [
        { role: 'assistant', content: [{ type: 'tool_use', id: `t${at}`, name: 'read', input: {} }] },
        {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: `t${at}`, content: long(`${at}`).repeat(3) }],
        },
      ];
      await done('POST', '/v1/sessions/ladder/messages', { messages });
    }
    await compose('ladder');
    await done('POST', '/v1/sessions/ladder/report-overflow', {
      status: 400,
      message: 'prompt is too long: 20001 tokens > 20000 maximum',
    });
    await compose('ladder', { contributions: [{ name: 'time', text: 'It is noon.' }] });
    const rebuilt = await expectRebuilt(api, 'ladder');
    expect(rebuilt.map(({ ladder }) => ladder !== undefined)).toEqual([false, true]);
    expect(rebuilt[1]?.body.length).toBeLessThan(rebuilt[0]?.body.length ?? 0);
  });

  // Holds rule 2.18.
  it('are found by id, and session states by time', async () => {
    await open('times');
    await talk('times', 1, 2);
    const events = String((await api.call('GET', '/v1/sessions/times/events')).body)
      .split('\n')
      .filter(Boolean)
      .map((line): { revision: number; recordedAt: string; type: string; data: Record<string, unknown> } =>
        JSON.parse(line),
      );
    const second = events.filter(({ type }) => type === 'RequestComposed')[1];
    const upTo = (time: string) => events.filter(({ recordedAt }) => recordedAt <= time).at(-1)?.revision;
    for (const { recordedAt } of events) {
      const view = await done('GET', `/v1/sessions/times/context?asOf=${recordedAt}`);
      expect([view.revision, view.digestMatches, view.body]).toEqual([upTo(recordedAt), null, null]);
    }
    const diff = await done(
      'GET',
      `/v1/sessions/times/diff?a=${second?.data.requestId}&b=${events.at(-1)?.recordedAt}`,
    );
    expect(diff).toMatchObject({
      a: { revision: second?.data.revision },
      b: { revision: events.at(-1)?.revision },
    });
    const exported = await api.call('GET', `/v1/sessions/times/export?asOf=${second?.data.requestId}`);
    expect(String(exported.body).split('\n').filter(Boolean)).toHaveLength(3);

    for (const [asOf, status, code] of [
      ['req-3-0123456789ab', 404, 'request-not-found'],
      ['2001-01-01T00:00:00Z', 404, 'revision-not-found'],
      ['9999', 404, 'revision-not-found'],
      ['yesterday', 400, 'invalid-request'],
    ] as const) {
      expect(await api.call('GET', `/v1/sessions/times/context?asOf=${asOf}`)).toMatchObject({
        ...{ status, body: { code } },
      });
    }
  });
});
