import { createServer, type Server } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { AnthropicServer, answer } from '@app/testing/providers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { runCli } from '../support/cli.js';
import { ApiServer, KEY } from './support/api-server.js';

const SUMMARY = '## Goal\nShip the parser.\n\n## State\nUnder way.';

/** A hook with configurable answers. */
class Hook {
  answers: 'continue' | 'error' | 'nonsense' = 'continue';
  readonly server: Server = createServer((request, response) => {
    request.resume();
    request.on('end', () => {
      response.statusCode = this.answers === 'error' ? 500 : 200;
      response.end(this.answers === 'nonsense' ? '{"decision":"perhaps"}' : '{}');
    });
  });

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => {
      this.server.listen(0, '127.0.0.1', resolve);
    });
    const address = this.server.address();
    return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/`;
  }
}

/** Repeats `read` until the projected rows match `isThere`. */
const until = async <Found>(
  read: () => Promise<Found | undefined>,
  isThere: (found: Found | undefined) => boolean,
): Promise<Found> => {
  for (;;) {
    const found = await read();
    if (found && isThere(found)) return found;
    await pause(50);
  }
};

const turn = (n: number) => [
  { id: `u${n}`, role: 'user', content: `Question ${n}. ${'The parser fails on line 7. '.repeat(40)}` },
  { id: `a${n}`, role: 'assistant', content: `Answer ${n}. ${'I changed src/parser.ts. '.repeat(40)}` },
];

/**
 * Guarantee: the policies of session, tenant and operator decide who summarizes, when, and what follows a summary.
 */
describe('policies over HTTP', () => {
  const anthropic = { server: undefined as AnthropicServer | undefined };
  const hook = new Hook();
  let api: ApiServer;

  const provider = (): AnthropicServer => {
    if (!anthropic.server) throw new Error('the provider has not been started');
    return anthropic.server;
  };
  beforeAll(async () => {
    anthropic.server = await AnthropicServer.start({ key: 'k', script: () => answer(SUMMARY) });
    api = await ApiServer.start({
      PALIMPSEST_SUMMARIZER: 'anthropic',
      PALIMPSEST_ANTHROPIC_API_KEY: 'k',
      PALIMPSEST_ANTHROPIC_BASE_URL: provider().url,
      PALIMPSEST_HOOK_URL: await hook.listen(),
      PALIMPSEST_HOOK_SECRET: `whsec_${'A'.repeat(32)}`,
      PALIMPSEST_HOOK_ON_FAILURE: 'closed',
    });
  });
  afterAll(async () => {
    await api.stop();
    await provider().close();
    hook.server.closeAllConnections();
    hook.server.close();
  });
  beforeEach(() => {
    hook.answers = 'continue';
    provider().forget();
  });

  /** Opens a session and appends `turns` turns to it. */
  const opened = async (session: string, turns: number, settings: object = {}): Promise<string> => {
    const path = `/v1/sessions/${session}`;
    const created = await api.call('POST', '/v1/sessions', { session, window: 100_000, ...settings });
    expect(created).toMatchObject({ status: 201 });
    for (let n = 1; n <= turns; n += 1) {
      const appended = await api.call('POST', `${path}/messages`, { messages: turn(n) });
      expect(appended).toMatchObject({ status: 200 });
      await api.call('POST', `${path}/complete-turn`, {});
    }
    return path;
  };
  const compacted = async (path: string, body: object = {}) =>
    (await api.call('POST', `${path}/compactions?wait=true`, body)).body;
  const eventsOf = async (path: string, type: string): Promise<readonly { data: unknown }[]> => {
    const { body } = await api.call('GET', `${path}/events`);
    const lines: { type: string; data: unknown }[] = String(body)
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
    return lines.filter((event) => event.type === type);
  };

  const summarizersOf = async (path: string) =>
    (await eventsOf(path, 'CompactionCompleted')).map(({ data }) => Object(data).summarizer);

  describe('summarizer without a model name', () => {
    // Holds rule 5.100.
    it('is never called with the model of another provider', async () => {
      const path = await opened('of-openai', 8, { model: 'gpt-5.4' });
      expect(await compacted(path)).toMatchObject({ outcome: 'completed' });
      expect(await summarizersOf(path)).toMatchObject([{ name: 'anthropic', model: 'claude-sonnet-5-5' }]);
      expect(provider().requests.map(({ body }) => Object(body).model)).toEqual(['claude-sonnet-5-5']);
    });

    it('is called with the session’s own model if the provider offers it', async () => {
      const path = await opened('of-anthropic', 8, { model: 'claude-opus-4-6' });
      await compacted(path);
      expect(await summarizersOf(path)).toMatchObject([{ model: 'claude-opus-4-6' }]);
    });
  });

  describe('hook that fails closed', () => {
    // Holds rule 5.99.
    it.each(['error', 'nonsense'] as const)('fails the compaction on the hook answer %s', async (answers) => {
      const path = await opened(`hook-${answers}`, 8);
      hook.answers = answers;
      expect(await compacted(path)).toMatchObject({ outcome: 'failed', error: { rule: 'hook-failed' } });
      expect(provider().requests).toHaveLength(0);
      const [failed] = await eventsOf(path, 'CompactionFailed');
      expect(failed?.data).toMatchObject({ attempts: 0, error: { rule: 'hook-failed' } });
    });

    // Holds rule 5.99.
    it('allows a request on the ladder if the request needs the compaction', async () => {
      hook.answers = 'error';
      const path = await opened('hook-needed', 14, {
        window: 8_000,
        profile: { name: 'mine', maxOutputShare: 0.1 },
      });
      const composed = await api.call('POST', `${path}/compose`, {});
      expect(composed).toMatchObject({ status: 200 });
      const [failed] = await eventsOf(path, 'CompactionFailed');
      expect(failed?.data).toMatchObject({ error: { rule: 'hook-failed' } });
    });
  });

  describe('trigger other than tokens', () => {
    // Holds rule 5.101.
    it.each([
      ['messages', { triggerMessages: 8 }],
      ['turns', { triggerTurns: 4 }],
    ])('requests a compaction by %s, and records the reason', async (by, fields) => {
      const profile = { name: 'counting', keepRecentTurns: 1, ...fields };
      const path = await opened(`by-${by}`, 5, { profile });
      expect(await api.call('POST', `${path}/compose`, {})).toMatchObject({ status: 200 });
      const [hit] = await eventsOf(path, 'CompactionThresholdHit');
      expect(hit?.data).toMatchObject({
        by,
        reached: Object.values(fields)[0],
        at: Object.values(fields)[0],
      });
      const [asked] = await eventsOf(path, 'CompactionRequested');
      const { compactionId, count } = Object(asked?.data);
      expect(count).toMatchObject({ by });
      await api.call('GET', `${path}/compactions/${compactionId}/outcome`);
      const explained = await api.call('GET', `${path}/compactions/${compactionId}`);
      expect(explained.body).toMatchObject({ why: { trigger: 'threshold', count: { by } } });
    });
  });

  describe('per-model values of a policy', () => {
    // Holds rule 5.102.
    it('apply from the opening on, and from a switch of the model on', async () => {
      const profile = {
        name: 'models',
        perModel: [
          { model: 'claude-*', warnAtShare: 0.5, triggerAtShare: 0.6 },
          { model: 'gpt-5*', warnAtShare: 0.7, requireAtShare: 0.9 },
        ],
      };
      const path = await opened('models', 0, { model: 'anthropic/claude-opus-4-6', profile });
      const settings = async () => Object((await api.call('GET', path)).body).settings.profile;
      expect(await settings()).toMatchObject({ warnAtShare: 0.5, triggerAtShare: 0.6, requireAtShare: 0.95 });
      await api.call('PATCH', `${path}/settings`, { model: 'gpt-5.4' });
      expect(await settings()).toMatchObject({ warnAtShare: 0.7, triggerAtShare: 0.8, requireAtShare: 0.9 });
      await api.call('PATCH', `${path}/settings`, { overrides: { warnAtShare: 0.4 }, model: 'o3' });
      expect(await settings()).toMatchObject({ warnAtShare: 0.4, triggerAtShare: 0.8, requireAtShare: 0.95 });
    });

    it('are rejected if they make an invalid policy', async () => {
      const perModel = [{ model: 'gpt-*', warnAtShare: 0.99 }];
      const refused = await api.call('POST', '/v1/sessions', {
        ...{ session: 'wrong-models', window: 1_000, profile: { name: 'wrong', perModel } },
      });
      expect(refused).toMatchObject({ status: 400, body: { code: 'invalid-settings' } });
    });
  });

  describe('session with compaction switched off', () => {
    // Holds rule 5.103.
    it('is never compacted, and its requests are sent while they fit', async () => {
      const path = await opened('off', 14, {
        window: 9_000,
        profile: { name: 'off', mode: 'off', stages: [], maxOutputShare: 0.01 },
      });
      expect(await api.call('POST', `${path}/compactions`, {})).toMatchObject({
        status: 409,
        body: { code: 'compaction-disabled' },
      });
      expect(await api.call('POST', `${path}/compose`, {})).toMatchObject({ status: 200 });
      expect(
        await api.call('POST', `${path}/report-overflow`, { message: 'prompt is too long' }),
      ).toMatchObject({
        status: 422,
        body: { code: 'context-overflow' },
      });
      await api.call('POST', `${path}/messages`, { messages: [...turn(15), ...turn(16), ...turn(17)] });
      const refused = await api.call('POST', `${path}/compose`, {});
      expect(refused.status).toBeGreaterThanOrEqual(400);
      expect(JSON.stringify(refused.body)).not.toContain('compact"');
      for (const type of ['CompactionRequested', 'CompactionThresholdHit'])
        expect(await eventsOf(path, type)).toEqual([]);
      await api.call('PATCH', `${path}/settings`, {
        overrides: { mode: 'authorized', stages: ['summarize'] },
      });
      expect(await compacted(path)).toMatchObject({ outcome: 'completed' });
    });
  });

  describe('prompt of a tenant', () => {
    const OWN = 'You are the archivist of a law firm. Answer with the record alone.';
    const register = (name: string, texts: object, headers = {}) =>
      api.call('POST', `/v1/prompts/own/${name}`, { texts }, headers);

    // Holds rule 5.104.
    it('is sent to the model in the version that the profile names, which the record contains', async () => {
      expect(await register('firm', { system: OWN })).toMatchObject({ status: 201, body: { version: 1 } });
      expect(await register('firm', { system: OWN })).toMatchObject({ body: { version: 1 } });
      expect(await register('firm', { system: `${OWN} Be brief.` })).toMatchObject({ body: { version: 2 } });
      const { prompts } = Object((await api.call('GET', '/v1/prompts/own')).body);
      expect(prompts).toMatchObject([
        { name: 'firm', version: 1, lengths: { system: OWN.length } },
        { name: 'firm', version: 2 },
      ]);
      for (const [session, prompt, version, told] of [
        ['firm-1', 'firm@1', 1, OWN],
        ['firm-2', 'firm', 2, `${OWN} Be brief.`],
      ] as const) {
        provider().forget();
        const profile = { name: 'firm', prompt };
        const path = await opened(session, 8, { model: 'claude-opus-4-6', profile });
        expect(await compacted(path)).toMatchObject({ outcome: 'completed' });
        expect(JSON.stringify(provider().requests[0]?.body)).toContain(told);
        const expected = new RegExp(`^firm@${version}-${prompts[version - 1].hash.slice(0, 12)}\\+prompts-`);
        const [{ promptVersion }] = await summarizersOf(path);
        expect(promptVersion).toMatch(expected);
        const [started] = await eventsOf(path, 'CompactionStarted');
        expect(Object(started?.data).summarizer.promptVersion).toBe(promptVersion);
        const { compactionId } = Object(started?.data);
        const explained = await api.call('GET', `${path}/compactions/${compactionId}`);
        expect(Object(explained.body).attempts[0].summarizer.promptVersion).toBe(promptVersion);
      }
    });

    it.each([
      ['has no text', {}],
      ['lacks a required placeholder', { transcript: 'Summarize: {{transcript}}' }],
      ['has an unknown placeholder', { system: 'Write for {{customer}}.' }],
      ['lacks a heading that summaries require', { sections: '## Goal\n\nWhat is wanted.' }],
    ])('is rejected if it %s', async (_, texts) => {
      expect(await register('wrong', texts)).toMatchObject({
        status: 400,
        body: { code: 'invalid-settings' },
      });
    });

    // Holds rule 5.104.
    it('is invisible to other tenants, and no audit row contains its text', async () => {
      await register('secret', { system: OWN });
      const registered = await api.call('POST', '/v1/tenants', { tenant: 'globex', name: 'Globex' });
      expect(registered.status).toBe(201);
      const { key } = Object(registered.body);
      const headers = { authorization: `Bearer ${key}` };
      expect((await api.call('GET', '/v1/prompts/own', undefined, headers)).body).toEqual({ prompts: [] });
      expect(await api.call('GET', '/v1/prompts/own/secret', undefined, headers)).toMatchObject({
        status: 404,
        body: { code: 'prompt-not-found' },
      });
      const rows = await until(
        async () => (await api.call('GET', '/v1/audit?type=PromptRegistered')).body,
        (found) => Object(found).items?.length > 0,
      );
      expect(JSON.stringify(rows)).not.toContain('archivist');
    });

    it('fails the compaction as not configured if missing, and is named in the error', async () => {
      const profile = { name: 'lost', prompt: 'lost@3', maxAttempts: 1 };
      const path = await opened('lost-prompt', 8, { model: 'claude-opus-4-6', profile });
      expect(await compacted(path)).toMatchObject({ outcome: 'failed' });
      const [failed] = await eventsOf(path, 'CompactionFailed');
      expect(JSON.stringify(failed?.data)).toContain('prompt lost@3');
      expect(provider().requests).toEqual([]);
    });
  });

  describe('re-injection after a summary', () => {
    const file = (text: string) => `${text}\n${'const line = 1;\n'.repeat(20)}`;
    const step = (n: number, tool: string, input: object, content: string) => [
      { id: `q${n}`, role: 'user', content: `Step ${n}. ${'Go on with the parser. '.repeat(40)}` },
      { id: `c${n}`, role: 'assistant', content: [{ type: 'tool_use', id: `t${n}`, name: tool, input }] },
      { id: `r${n}`, role: 'user', content: [{ type: 'tool_result', tool_use_id: `t${n}`, content }] },
      { id: `d${n}`, role: 'assistant', content: `Done with ${n}. ${'It is better now. '.repeat(40)}` },
    ];

    // Holds rule 5.105.
    it('adds files, skills and the plan until the next compaction, within the target', async () => {
      const profile = {
        name: 'again',
        keepRecentTurns: 2,
        maxReinjectTokens: 1_000,
        reinjectFiles: ['src/*'],
      };
      const path = await opened('again', 0, { model: 'claude-opus-4-6', profile });
      const steps = [
        step(1, 'Read', { file_path: 'src/kept.ts' }, file('kept as read')),
        step(2, 'Read', { file_path: 'src/edited.ts' }, file('old news')),
        step(3, 'Edit', { file_path: 'src/edited.ts', old_string: 'a', new_string: 'b' }, 'ok'),
        step(4, 'Skill', { skill: 'release' }, 'Tag before you publish.'),
        step(5, 'TodoWrite', { todos: [{ content: 'ship it', status: 'pending' }] }, 'ok'),
        step(6, 'Read', { file_path: 'docs/other.md' }, file('not wanted')),
        step(7, 'Write', { file_path: 'src/written.ts', content: file('written whole') }, 'ok'),
        ...[8, 9].map((n) => step(n, 'Bash', { command: 'npm test' }, 'ok')),
      ];
      for (const messages of steps) {
        expect(await api.call('POST', `${path}/messages`, { messages })).toMatchObject({ status: 200 });
        await api.call('POST', `${path}/complete-turn`, {});
      }
      expect(await compacted(path)).toMatchObject({ outcome: 'completed' });
      const [done] = await eventsOf(path, 'CompactionCompleted');
      const { reinjected, countedAfter, target, summaryTokens } = Object(done?.data);
      expect(reinjected).toMatchObject([
        { kind: 'plan', name: 'plan', messageId: 'c5', callId: 't5' },
        { kind: 'skills', name: 'release', messageId: 'c4' },
        { kind: 'files', name: 'src/written.ts', messageId: 'c7' },
        { kind: 'files', name: 'src/kept.ts', messageId: 'c1' },
      ]);
      expect(countedAfter).toBeLessThanOrEqual(target);
      const composed = async () =>
        JSON.stringify(Object((await api.call('POST', `${path}/compose`, {})).body).request);
      for (let n = 10; n <= 11; n += 1) {
        const body = await composed();
        for (const text of ['kept as read', 'written whole', 'Tag before you publish.', '[pending] ship it'])
          expect(body).toContain(text);
        for (const text of ['old news', 'not wanted']) expect(body).not.toContain(text);
        await api.call('POST', `${path}/messages`, { messages: turn(n) });
      }
      expect(summaryTokens).toBeGreaterThan(
        reinjected.reduce((sum: number, one: object) => sum + Object(one).countedTokens, 0),
      );
      const rows = await until(
        async () => (await api.call('GET', '/v1/audit?type=CompactionCompleted&session=again')).body,
        (found) => Object(found).items?.length > 0,
      );
      expect(JSON.stringify(rows)).not.toContain('src/kept.ts');
      await api.call('PATCH', `${path}/settings`, { overrides: { maxReinjectTokens: 0 } });
      expect(await compacted(path)).toMatchObject({ outcome: 'completed' });
      expect(await composed()).not.toContain('kept as read');
    });
  });

  describe('usage', () => {
    type Sum = { readonly compactions: { readonly countedSaved: number; readonly smallerRequests: number } };
    type Totals = Readonly<Record<'total' | 'live' | 'import', Sum>> & {
      readonly groups: readonly (Sum & { readonly key: string; readonly source: string })[];
    };
    const usage = async (query: string): Promise<Totals> => {
      const totals: Totals = JSON.parse(JSON.stringify((await api.call('GET', `/v1/usage?${query}`)).body));
      return totals;
    };
    /** Returns the sums of a separate profile, once the rows contain `requests` of its requests. */
    const usageOf = async (profile: string, requests: number): Promise<Sum> => {
      const read = async () => (await usage('by=profile')).groups.find(({ key }) => key === profile);
      return until(read, (found) => Object(found?.compactions).requests >= requests);
    };
    /** Returns the size of a composed request in counted tokens. */
    const composed = async (path: string): Promise<number> => {
      const answer = await api.call('POST', `${path}/compose`, {});
      expect(answer).toMatchObject({ status: 200 });
      return Object(answer.body).counted;
    };

    // Holds rule 5.106.
    it('reports the reduction of each later request, and none after a revert', async () => {
      const settings = { model: 'claude-opus-4-6', profile: { name: 'books', keepRecentTurns: 2 } };
      const path = await opened('books-1', 8, settings);
      const twin = await opened('books-2', 8, { model: 'claude-opus-4-6', profile: 'authorized' });
      await composed(path);
      await compacted(path);
      const saved: number[] = [];
      for (let n = 9; n <= 11; n += 1) {
        for (const one of [path, twin]) await api.call('POST', `${one}/messages`, { messages: turn(n) });
        saved.push((await composed(twin)) - (await composed(path)));
      }
      expect(Math.min(...saved)).toBeGreaterThan(1_000);
      const sum = saved.reduce((all, one) => all + one, 0);
      expect(await usageOf('books', 4)).toMatchObject({
        compactions: { requests: 4, smallerRequests: 3, countedSaved: sum, completed: 1 },
      });
      const said = await runCli([
        'usage',
        '--by',
        'profile',
        '--format',
        'csv',
        '--url',
        api.url,
        '--api-key',
        KEY,
      ]);
      const columns = said.stdout.split('\r\n')[0]?.split(',') ?? [];
      const row =
        said.stdout
          .split('\r\n')
          .find((line) => line.startsWith('books,live,'))
          ?.split(',') ?? [];
      expect(row[columns.indexOf('counted_tokens_saved')]).toBe(String(sum));
      const recorded = (await eventsOf(path, 'RequestComposed')).map(
        ({ data }) => Object(data).countedSaved ?? 0,
      );
      expect(recorded).toEqual([0, ...saved]);
    });

    it('reports the cost of compactions, equal to sums computed from the log', async () => {
      const path = await opened('costs', 8, { model: 'claude-opus-4-6', profile: { name: 'costs' } });
      await compacted(path);
      await composed(path);
      const [done] = await eventsOf(path, 'CompactionCompleted');
      const { usage: paid, cost } = Object(done?.data);
      expect(await usageOf('costs', 1)).toMatchObject({
        compactions: {
          tokens: { input: paid.inputTokens, output: paid.outputTokens },
          cost: { nanoUsd: cost.nanoUsd, unpricedTokens: 0 },
          doubleRuns: { runs: 0 },
        },
      });
      expect(cost.nanoUsd).toBeGreaterThan(0);
    });

    // Holds rule 5.106.
    it('stops counting reductions after a revert', async () => {
      const path = await opened('reverted', 8, { profile: { name: 'reverted', keepRecentTurns: 2 } });
      await compacted(path);
      await composed(path);
      const { compactionId } = Object((await eventsOf(path, 'CompactionCompleted'))[0]?.data);
      expect(await api.call('POST', `${path}/revert`, { compactionId })).toMatchObject({
        status: 200,
      });
      await composed(path);
      expect(await usageOf('reverted', 2)).toMatchObject({
        compactions: { requests: 2, smallerRequests: 1, reverted: 1 },
      });
    });

    // Holds rule 5.106.
    it('assigns imported bills to their own days, separate from live traffic', async () => {
      const at = (day: string) => `${day}T10:00:00.000Z`;
      const line = (value: object): string => `${JSON.stringify(value)}\n`;
      const body = [
        { type: 'session', version: 3, id: 'old', timestamp: at('2025-03-04'), cwd: '/home/ada' },
        {
          ...{ type: 'message', id: 'e1', parentId: null, timestamp: at('2025-03-04') },
          message: { role: 'user', content: 'What fails?', timestamp: Date.parse(at('2025-03-04')) },
        },
        {
          ...{ type: 'message', id: 'e2', parentId: 'e1', timestamp: at('2025-03-05') },
          message: {
            role: 'assistant',
            content: [{ type: 'text', text: 'The parser.' }],
            model: 'claude-opus-4-6',
            usage: { input: 1_234, output: 5, cacheRead: 0, cacheWrite: 0 },
            stopReason: 'stop',
            timestamp: Date.parse(at('2025-03-05')),
          },
        },
      ]
        .map(line)
        .join('');
      const imported = await api.call('POST', '/v1/imports?name=old.jsonl', body, {
        'content-type': 'application/octet-stream',
      });
      expect(imported).toMatchObject({ status: 200 });
      const totals = await until(
        () => usage('by=day&from=2025-01-01'),
        (found) => found?.groups.some(({ source }) => source === 'import') ?? false,
      );
      const found = totals.groups.filter(({ source }) => source === 'import');
      expect(found).toMatchObject([{ key: '2025-03-05', tokens: { input: 1_234 }, calls: 1 }]);
      expect(totals.import).toMatchObject({ calls: 1 });
    });
  });
});
