import { createServer, type Server } from 'node:http';
import { AnthropicServer, answer } from '@app/testing/providers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ApiServer } from './support/api-server.js';

const SUMMARY = '## Goal\nShip the parser.\n\n## State\nUnder way.';

/** A hook that answers as it is told. */
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

const turn = (n: number) => [
  { id: `u${n}`, role: 'user', content: `Question ${n}. ${'The parser fails on line 7. '.repeat(40)}` },
  { id: `a${n}`, role: 'assistant', content: `Answer ${n}. ${'I changed src/parser.ts. '.repeat(40)}` },
];

/** Guarantee: who summarizes, when, and what stays behind a summary is what the policies of a session, a tenant and the operator say. */
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
      PALIMPSEST_ANTHROPIC_KEY: 'k',
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

  describe('a summarizer that names no model', () => {
    it('is never asked for the model of another provider', async () => {
      const path = await opened('of-openai', 8, { model: 'gpt-5.4' });
      expect(await compacted(path)).toMatchObject({ outcome: 'completed' });
      expect(await summarizersOf(path)).toMatchObject([{ name: 'anthropic', model: 'claude-sonnet-5-5' }]);
      expect(provider().requests.map(({ body }) => Object(body).model)).toEqual(['claude-sonnet-5-5']);
    });

    it('is asked for the session’s own model where it is the provider’s', async () => {
      const path = await opened('of-anthropic', 8, { model: 'claude-opus-4-6' });
      await compacted(path);
      expect(await summarizersOf(path)).toMatchObject([{ model: 'claude-opus-4-6' }]);
    });
  });

  describe('a hook that fails closed', () => {
    it.each(['error', 'nonsense'] as const)(
      'fails the compaction where it answers with %s',
      async (answers) => {
        const path = await opened(`hook-${answers}`, 8);
        hook.answers = answers;
        expect(await compacted(path)).toMatchObject({ outcome: 'failed', error: { rule: 'hook-failed' } });
        expect(provider().requests).toHaveLength(0);
        const [failed] = await eventsOf(path, 'CompactionFailed');
        expect(failed?.data).toMatchObject({ attempts: 0, error: { rule: 'hook-failed' } });
      },
    );

    it('lets a request go out on the ladder where the request needs the compaction', async () => {
      hook.answers = 'error';
      const path = await opened('hook-needed', 14, {
        window: 8_000,
        profile: { name: 'mine', outputShare: 0.1 },
      });
      const composed = await api.call('POST', `${path}/compose`, {});
      expect(composed).toMatchObject({ status: 200 });
      const [failed] = await eventsOf(path, 'CompactionFailed');
      expect(failed?.data).toMatchObject({ error: { rule: 'hook-failed' } });
    });
  });
});
