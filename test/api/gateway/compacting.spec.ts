import Anthropic from '@anthropic-ai/sdk';
import { AnthropicServer, answer, call, fail, OpenAiServer, type Reply } from '@app/testing/providers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import OpenAI from 'openai';
import { ApiServer, KEY } from '../support/api-server.js';
import { exportOf, typesOf } from './support/sessions.js';

const WINDOW = 4_000;
/** The provider's limit, which is never reached: the session's limit is lower. */
const WIDE = 6_000;
/** About 340 tokens by the servers' count. */
const long = (text: string): string =>
  `${text} ${'The quick brown fox jumps over the lazy dog. '.repeat(30)}`;
const TURNS = 14;

/** The client never learns of a compaction: each request contains its whole history. */
describe('session that compacts behind the gateway', () => {
  let anthropic: AnthropicServer;
  let openai: OpenAiServer;
  let api: ApiServer;
  let answered = 0;
  const script = (): Reply => {
    answered += 1;
    return answer(long(`Answer ${answered}.`));
  };
  const headers = (session: string) => ({
    ...{ 'x-palimpsest-key': KEY, 'x-palimpsest-session': session },
    'x-palimpsest-window': String(WINDOW),
  });

  beforeAll(async () => {
    anthropic = await AnthropicServer.start({ script, windows: { 'claude-opus-4-6': WIDE } });
    openai = await OpenAiServer.start({ script, windows: { 'gpt-5': WIDE } });
    api = await ApiServer.start({
      PALIMPSEST_GATEWAY_ANTHROPIC: anthropic.url,
      PALIMPSEST_GATEWAY_OPENAI: `${openai.url}/v1`,
    });
  });
  afterAll(async () => {
    await api.stop();
    await Promise.all([anthropic.close(), openai.close()]);
  });
  beforeEach(() => {
    anthropic.forget();
    openai.forget();
  });

  const expectCompacted = async (session: string, times: number): Promise<void> => {
    const types = await typesOf(api, session);
    expect(types.filter((type) => type === 'CompactionApplied').length).toBeGreaterThanOrEqual(times);
    for (const { status } of [...anthropic.requests, ...openai.requests]) expect(status).toBe(200);
  };
  const texts = async (session: string) =>
    (await exportOf(api, session)).map(({ role, content }) => [role, Object(content[0]).text]);

  // Holds rule 10.3.
  it('keeps the transcript of Anthropic’s client, and every request is valid', async () => {
    const client = new Anthropic({
      ...{ apiKey: 'p', baseURL: `${api.url}/gateway/anthropic`, maxRetries: 0 },
      defaultHeaders: headers('a-1'),
    });
    const messages: Anthropic.MessageParam[] = [];
    const told: (readonly [string, string])[] = [];
    for (let turn = 1; turn <= TURNS; turn += 1) {
      const asked = long(`Question ${turn}.`);
      messages.push({ role: 'user', content: asked });
      const { content } = await client.messages
        .stream({ model: 'claude-opus-4-6', max_tokens: 500, system: 'Be brief.', messages })
        .finalMessage();
      messages.push({ role: 'assistant', content });
      told.push(['user', asked], ['assistant', content[0]?.type === 'text' ? content[0].text : '']);
    }
    expect(await texts('a-1')).toEqual(told);
    await expectCompacted('a-1', 3);
    const last = JSON.stringify(anthropic.requests.at(-1)?.body.messages);
    expect(last.length).toBeLessThan(JSON.stringify(messages).length / 2);
    expect(last).toContain(`Question ${TURNS}.`);
    expect(last).not.toContain(
      'Answer 2. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over',
    );
  });

  // Holds rule 10.3.
  it('keeps the transcript of OpenAI’s chat client, and every request is valid', async () => {
    const client = new OpenAI({
      ...{ apiKey: 'p', baseURL: `${api.url}/gateway/openai/v1`, maxRetries: 0 },
      defaultHeaders: headers('c-1'),
    });
    const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'developer', content: 'Be brief.' }];
    for (let turn = 1; turn <= TURNS; turn += 1) {
      messages.push({ role: 'user', content: long(`Question ${turn}.`) });
      const stream = client.chat.completions.stream({
        ...{ model: 'gpt-5', messages },
        stream_options: { include_usage: true },
      });
      const { message } = (await stream.finalChatCompletion()).choices[0] ?? {};
      if (message) messages.push({ role: 'assistant', content: message.content, refusal: message.refusal });
    }
    expect(await texts('c-1')).toEqual(messages.slice(1).map(({ role, content }) => [role, content]));
    await expectCompacted('c-1', 3);
    const last = openai.requests.at(-1)?.body.messages;
    expect(JSON.stringify(last).length).toBeLessThan(JSON.stringify(messages).length / 2);
    expect(Object(last)[0]).toEqual({ role: 'developer', content: 'Be brief.' });
  });

  // Holds rule 10.3.
  it('keeps the transcript of the Responses client including tools, and every request is valid', async () => {
    const client = new OpenAI({
      ...{ apiKey: 'p', baseURL: `${api.url}/gateway/openai/v1`, maxRetries: 0 },
      defaultHeaders: headers('r-1'),
    });
    const input: OpenAI.Responses.ResponseInputItem[] = [];
    const tools = [
      { type: 'function' as const, name: 'read', parameters: { type: 'object' }, strict: false },
    ];
    for (let turn = 1; turn <= TURNS; turn += 1) {
      input.push({ role: 'user', content: long(`Question ${turn}.`) });
      if (turn % 3 === 0) openai.reply(answer(call('read', { path: `file-${turn}` })));
      for (;;) {
        const response = await client.responses.create({
          model: 'gpt-5',
          input,
          tools,
          instructions: 'Be brief.',
        });
        input.push(...(response.output as OpenAI.Responses.ResponseInputItem[]));
        const calls = response.output.filter((item) => item.type === 'function_call');
        if (calls.length === 0) break;
        for (const { call_id } of calls)
          input.push({ type: 'function_call_output', call_id, output: long('Read.') });
      }
    }
    expect(await exportOf(api, 'r-1')).toHaveLength(input.length);
    await expectCompacted('r-1', 3);
    expect(Object(openai.requests.at(-1)?.body.input).length).toBeLessThan(input.length / 2);
  });

  // Holds rule 10.16.
  it('continues from a previous response id', async () => {
    const client = new OpenAI({
      ...{ apiKey: 'p', baseURL: `${api.url}/gateway/openai/v1`, maxRetries: 0 },
      defaultHeaders: headers('p-1'),
    });
    let previous: string | undefined;
    for (let turn = 1; turn <= TURNS; turn += 1) {
      const response = await client.responses.create({
        ...{ model: 'gpt-5', input: long(`Question ${turn}.`) },
        ...(previous !== undefined && { previous_response_id: previous }),
      });
      previous = response.id;
    }
    expect(await exportOf(api, 'p-1')).toHaveLength(2 * TURNS);
    await expectCompacted('p-1', 1);
    const unknown = client.responses.create({
      model: 'gpt-5',
      input: 'And?',
      previous_response_id: 'resp_none',
    });
    await expect(unknown).rejects.toMatchObject({ status: 400, code: 'previous_response_not_found' });
  });

  // Holds rule 10.9.
  it('compacts and retries a request that the provider finds too large, unnoticed by the client', async () => {
    const client = new Anthropic({
      ...{ apiKey: 'p', baseURL: `${api.url}/gateway/anthropic`, maxRetries: 0 },
      defaultHeaders: headers('o-1'),
    });
    const messages: Anthropic.MessageParam[] = [];
    const ask = async () => {
      messages.push({ role: 'user', content: long(`Question ${messages.length}.`) });
      const { content } = await client.messages.create({
        model: 'claude-opus-4-6',
        max_tokens: 200,
        messages,
      });
      messages.push({ role: 'assistant', content });
    };
    for (let turn = 1; turn <= 4; turn += 1) await ask();
    anthropic.forget();
    anthropic.reply(fail('overflow'));
    await ask();
    expect(anthropic.requests.map(({ status }) => status)).toEqual([400, 200]);
    expect(await exportOf(api, 'o-1')).toHaveLength(10);
    expect(await typesOf(api, 'o-1')).toEqual(
      expect.arrayContaining(['OverflowReported', 'CompactionApplied']),
    );
  });

  // Holds rule 10.8.
  it('retries a stream that begins with an error, and forwards each chunk as it arrives, even if the stream breaks', async () => {
    const client = new OpenAI({
      ...{ apiKey: 'p', baseURL: `${api.url}/gateway/openai/v1`, maxRetries: 0 },
      defaultHeaders: headers('s-1'),
    });
    const input: OpenAI.Responses.ResponseInputItem[] = [];
    const ask = async (turn: number): Promise<readonly string[]> => {
      input.push({ role: 'user', content: long(`Question ${turn}.`) });
      const types: string[] = [];
      for await (const event of await client.responses.create({ model: 'gpt-5', input, stream: true })) {
        types.push(event.type);
        if (event.type === 'response.completed')
          input.push(...(event.response.output as OpenAI.Responses.ResponseInputItem[]));
      }
      return types;
    };
    for (let turn = 1; turn <= 4; turn += 1) await ask(turn);
    openai.forget();
    openai.reply({ ...answer('No.'), disturbance: { kind: 'error', afterEvents: 2, failure: 'overflow' } });
    const types = await ask(5);
    expect([types.includes('error'), types.at(-1)]).toEqual([false, 'response.completed']);
    expect(openai.requests).toHaveLength(2);
    expect(await typesOf(api, 's-1')).toEqual(
      expect.arrayContaining(['OverflowReported', 'CompactionApplied']),
    );

    openai.reply({ ...answer(long('Cut.')), disturbance: { kind: 'cut', afterEvents: 5 } });
    await expect(ask(6)).rejects.toThrow();
    expect((await exportOf(api, 's-1')).at(-1)).toMatchObject({ role: 'user' });
    openai.reply({ ...answer('In pieces: ä € 😀.'), disturbance: { kind: 'drip', bytes: 7, everyMs: 0 } });
    expect((await ask(7)).at(-1)).toBe('response.completed');
    expect(JSON.stringify((await exportOf(api, 's-1')).at(-1))).toContain('In pieces: ä € 😀.');
  });

  // Holds rule 10.10.
  it('waits for approval if its profile requires it, and says so in the provider’s format', async () => {
    const client = new Anthropic({
      ...{ apiKey: 'p', baseURL: `${api.url}/gateway/anthropic`, maxRetries: 0 },
      defaultHeaders: { ...headers('w-1'), 'x-palimpsest-profile': 'authorized' },
    });
    const messages: Anthropic.MessageParam[] = [
      ...Array.from({ length: 15 }, (_, at) => ({
        role: at % 2 ? ('assistant' as const) : ('user' as const),
        content: long(`Said ${at}.`),
      })),
    ];
    const common = { model: 'claude-opus-4-6', max_tokens: 100, messages };
    const refused = client.messages.create(common);
    await expect(refused).rejects.toBeInstanceOf(Anthropic.BadRequestError);
    await expect(refused).rejects.toThrow(/POST \/v1\/sessions\/w-1\/compactions/);
    expect(anthropic.requests).toEqual([]);
    const compacted = await api.call('POST', '/v1/sessions/w-1/compactions?wait=true', {});
    expect(compacted.status).toBe(200);
    await client.messages.create(common);
    expect(anthropic.requests).toHaveLength(1);
  });
});
