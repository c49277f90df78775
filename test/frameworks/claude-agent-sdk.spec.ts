import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { PalimpsestClient, type PalimpsestError } from '@app/client';
import { startEmbedded } from '@app/deployments';
import { AnthropicServer, answer, call, fail } from '@app/testing/providers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { palimpsest } from '../../libs/framework-adapters/src/claude-agent-sdk.js';
import { sessionOf } from '../../libs/framework-adapters/src/core/transcript.js';
import { TranscriptStore } from '../../libs/framework-adapters/src/core/transcript-store.js';

/** The parts of the adapter that a run of the real SDK (agents.spec.ts) does not show. */
describe('adapter of the Claude Agent SDK', () => {
  let service: Awaited<ReturnType<typeof startEmbedded>>;
  let provider: AnthropicServer;
  let client: PalimpsestClient;
  let access: { url: string; apiKey: string; upstream: string };
  beforeAll(async () => {
    service = await startEmbedded();
    provider = await AnthropicServer.start();
    access = { url: service.url, apiKey: service.adminKey, upstream: provider.url };
    client = new PalimpsestClient(access);
  });
  afterAll(async () => {
    await service.stop();
    await provider.close();
  });

  const HEADERS = { 'x-api-key': 'any', 'anthropic-version': '2023-06-01' };
  const TOOLS = [{ name: 'read', input_schema: { type: 'object' } }];
  const ask = (url: string, body: object) =>
    fetch(`${url}/v1/messages`, {
      ...{ method: 'POST', headers: { ...HEADERS, 'content-type': 'application/json' } },
      body: JSON.stringify({ model: 'claude-opus-4-6', max_tokens: 500, ...body }),
    });
  const said = (content: unknown) => [{ role: 'user', content }];

  it('records an answer, streamed or whole, without the cache marks of the request', async () => {
    const { env, close } = await palimpsest({ ...access, session: 'marks', window: 32_000 });
    const marked = [{ type: 'text', text: 'One.', cache_control: { type: 'ephemeral' } }];
    provider.reply(answer('Read it.', call('read', { page: 1 }, 'toolu_1')), answer('Done.'));
    const streamed = await ask(env.ANTHROPIC_BASE_URL, {
      stream: true,
      tools: TOOLS,
      messages: said(marked),
    });
    expect(await streamed.text()).toContain('message_stop');
    const [use] = [{ type: 'tool_use', id: 'toolu_1', name: 'read', input: { page: 1 } }];
    const messages = [
      ...said('One.'),
      { role: 'assistant', content: [{ type: 'text', text: 'Read it.' }, use] },
      ...said([{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'Page 1' }]),
    ];
    await (await ask(env.ANTHROPIC_BASE_URL, { tools: TOOLS, messages })).json();
    const found = [];
    for await (const { role, content } of client.sessions.export('marks')) found.push([role, content]);
    expect(found).toEqual([
      ['user', [{ type: 'text', text: 'One.' }]],
      ['assistant', [{ type: 'text', text: 'Read it.' }, use]],
      ['user', [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'Page 1' }]],
      ['assistant', [{ type: 'text', text: 'Done.' }]],
    ]);
    close();
  });

  it('passes on the bytes of a request as long as nothing is compacted, and fewer tokens than it asks for if need be', async () => {
    const { env, close } = await palimpsest({ ...access, session: 'bytes', window: 4_000 });
    const mark = '"cache_control" : {"type":"ephemeral"}';
    const body = (maxTokens: number) => `{ "model":"claude-opus-4-6","max_tokens" : ${maxTokens},
      "tools":[{"name":"read","input_schema":{"type":"object"},${mark}}],
      "messages":[{"role":"user","content":[{"text":"Caf\\u00e9\\/","type":"text",${mark}}]},
        {"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"read","input":{"cache_control":1.0}}]},
        {"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":[{"type":"text","text":"1",${mark}}]}]}] }`;
    const send = async (text: string) => {
      const headers = { ...HEADERS, 'content-type': 'application/json' };
      const answered = await fetch(`${env.ANTHROPIC_BASE_URL}/v1/messages`, {
        method: 'POST',
        headers,
        body: text,
      });
      expect([answered.status, await answered.json()]).toMatchObject([200, { type: 'message' }]);
      return provider.requests.at(-1);
    };
    for (const length of [500, 2_000]) expect((await send(body(length)))?.text).toBe(body(length));
    const { max_tokens: room, ...rest } = (await send(body(9_000)))?.body ?? {};
    expect(room).toBeLessThan(4_000);
    expect(rest).toEqual(Object.assign(JSON.parse(body(9_000)), { max_tokens: undefined }));
    const thinking = async (longest: number) => {
      const asked = {
        ...{ ...JSON.parse(body(longest)), messages: said('Think.') },
        thinking: { type: 'enabled', budget_tokens: longest - 1 },
      };
      const sent = (await send(JSON.stringify(asked)))?.body ?? {};
      return [sent.thinking, Math.floor(Number(sent.max_tokens) / 2)];
    };
    expect((await thinking(2_000))[0]).toEqual({ type: 'enabled', budget_tokens: 1_999 });
    const [shorter, half] = await thinking(9_000);
    expect(shorter).toEqual({ type: 'enabled', budget_tokens: half });
    const stored = [];
    for await (const { content } of client.sessions.export('bytes')) stored.push(...content);
    expect(stored.slice(0, 3)).toEqual([
      { type: 'text', text: 'Café/' },
      { type: 'tool_use', id: 'toolu_1', name: 'read', input: { cache_control: 1 } },
      { type: 'tool_result', tool_use_id: 'toolu_1', content: [{ type: 'text', text: '1' }] },
    ]);
    close();
  });

  it('passes requests beside the conversation on, answers only its own URL, and hands refusals through', async () => {
    const { env, close } = await palimpsest({ ...access, session: 'beside' });
    expect((await ask(env.ANTHROPIC_BASE_URL, { messages: said('A title?') })).status).toBe(200);
    await expect(client.sessions.get('beside')).rejects.toMatchObject({ code: 'session-not-found' });
    expect((await ask(new URL(env.ANTHROPIC_BASE_URL).origin, { messages: said('Hi') })).status).toBe(404);
    provider.reply(fail('rate-limited'));
    expect((await ask(env.ANTHROPIC_BASE_URL, { tools: TOOLS, messages: said('Hi') })).status).toBe(429);
    close();
  });

  it('passes on what is no event or no answer, and goes on after an empty answer', async () => {
    const event = (data: object) => `data: ${JSON.stringify(data)}\n\n`;
    const message = {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'any',
      content: [],
      usage: { input_tokens: 5, output_tokens: 0 },
    };
    const empty = event({ type: 'message_start', message }) + event({ type: 'message_stop' });
    const bodies = [`${empty}data: [DONE]\n\n`, '<html>'];
    const other = createServer((_, response) => {
      const body = bodies.shift();
      response
        .setHeader('content-type', body?.startsWith('data') ? 'text/event-stream' : 'text/html')
        .end(body);
    });
    await once(other.listen(0, '127.0.0.1'), 'listening');
    const upstream = `http://127.0.0.1:${Object(other.address()).port}`;
    const { env, flush, close } = await palimpsest({ ...access, session: 'odd', upstream });
    for (const body of [...bodies]) {
      const answered = await ask(env.ANTHROPIC_BASE_URL, { tools: TOOLS, messages: said('Hi.') });
      expect(await answered.text()).toBe(body);
    }
    expect(await flush()).toBe(true);
    close();
    other.close();
  });

  it('keeps transcripts as its SDK requires of a session store', async () => {
    const project = randomUUID();
    const [one, two] = [await palimpsest(access), await palimpsest(access)];
    const [store, later] = [one.sessionStore, two.sessionStore];
    const key = { projectKey: project, sessionId: 's1' };
    const below = { ...key, subpath: 'subagents/a' };
    expect(await store.load(key)).toBeNull();
    await store.append(key, []);
    expect(await store.load(key)).toBeNull();
    const lines = [
      { type: 'user', uuid: randomUUID(), nested: { x: [1, '\ud800', null] } },
      { type: 'mode' },
    ];
    await store.append(key, lines);
    await store.append(below, [{ type: 'sub' }]);
    await store.append(key, [...lines.slice(0, 1), { type: 'mode' }]);
    const whole = [...lines, { type: 'mode' }];
    expect(await store.load(key)).toEqual(whole);
    // A later process: a message with a UUID is kept once.
    await later.append(key, [...lines.slice(0, 1), { type: 'last' }]);
    expect(await later.load(key)).toEqual([...whole, { type: 'last' }]);
    expect(await later.load(below)).toEqual([{ type: 'sub' }]);
    expect(await later.load({ ...key, projectKey: 'other' })).toBeNull();
    expect(await store.listSessions(project)).toEqual([{ sessionId: 's1', mtime: expect.any(Number) }]);
    expect(await store.listSessions('never')).toEqual([]);
    expect(await store.listSubkeys(key)).toEqual(['subagents/a']);
    one.close();
    two.close();
  });

  it('keeps transcripts although another one is closed', async () => {
    const project = randomUUID();
    const [closed, open] = [
      { projectKey: project, sessionId: 'closed' },
      { projectKey: project, sessionId: 'open' },
    ];
    const refused: string[] = [];
    const onProblem = ({ code }: PalimpsestError) => void refused.push(code);
    const { url, apiKey } = access;
    const store = new TranscriptStore({ url, apiKey, session: 'any', onProblem });
    await store.append(closed, [{ type: 'user' }]);
    await client.sessions.close(sessionOf(closed));
    await store.append(closed, [{ type: 'user' }]);
    await store.append(open, [{ type: 'user', uuid: 'one' }]);
    expect(refused).toEqual(['session-closed']);
    const later = new TranscriptStore({ url, apiKey, session: 'any' });
    expect(await later.load(open)).toEqual([{ type: 'user', uuid: 'one' }]);
  });

  it('keeps lines in memory up to a limit, and reads the others from the service', async () => {
    const { url, apiKey } = access;
    const store = new TranscriptStore({ url, apiKey, session: 'any' }, undefined, 50);
    const project = randomUUID();
    const line = (uuid: string) => ({ type: 'user', uuid, text: 'x'.repeat(40) });
    const [one, two] = [
      { projectKey: project, sessionId: 'one' },
      { projectKey: project, sessionId: 'two' },
    ];
    await store.append(one, [line('a')]);
    await store.append(two, [line('b')]);
    // Appended twice, and to a transcript whose lines were forgotten.
    await store.append(one, [line('a'), line('c')]);
    expect(await store.load(one)).toEqual([line('a'), line('c')]);
    expect(await store.load(two)).toEqual([line('b')]);
    expect(await store.flush()).toBe(true);
  });

  it('resumes a session of the same process while the service is away, and no other one', async () => {
    const problems: string[] = [];
    const onProblem = ({ code }: PalimpsestError) => void problems.push(code);
    const { sessionStore, close } = await palimpsest({ url: 'http://127.0.0.1:9', onProblem });
    const key = { projectKey: 'p', sessionId: 's' };
    await sessionStore.append(key, [{ type: 'user' }]);
    expect(await sessionStore.load(key)).toEqual([{ type: 'user' }]);
    await expect(sessionStore.load({ ...key, sessionId: 'other' })).rejects.toThrow('cannot be resumed');
    expect(await sessionStore.flush()).toBe(false);
    expect(problems).toEqual(['service-unreachable']);
    close();
  });
});
