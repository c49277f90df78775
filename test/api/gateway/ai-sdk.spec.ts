import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { AnthropicServer, answer, call, OpenAiServer, type Reply } from '@app/testing/providers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { jsonSchema, type LanguageModel, type ModelMessage, stepCountIs, streamText, tool } from 'ai';
import { ApiServer, KEY } from '../support/api-server.js';
import { exportOf, typesOf } from './support/sessions.js';

const WINDOW = 4_000;
/** The provider's limit, which is never reached: the session's limit is lower. */
const WIDE = 6_000;
const long = (text: string): string =>
  `${text} ${'The quick brown fox jumps over the lazy dog. '.repeat(30)}`;
const TURNS = 14;

const tools = {
  read: tool({
    description: 'Reads a file.',
    inputSchema: jsonSchema<{ path: string }>({ type: 'object', properties: { path: { type: 'string' } } }),
    execute: async ({ path }) => long(`Content of ${path}.`),
  }),
};

/** The Vercel AI SDK sends its providers' answers back in its own forms. */
describe('session of the AI SDK that compacts behind the gateway', () => {
  let anthropic: AnthropicServer;
  let openai: OpenAiServer;
  let api: ApiServer;
  let asked = 0;
  /** Every fourth question is answered only after a file was read. */
  const script = (): Reply => {
    asked += 1;
    return asked % 4 === 0
      ? answer('I look.', call('read', { path: `file-${asked}` }))
      : answer(long(`Answer ${asked}.`));
  };

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

  const headers = (session: string) => ({
    ...{ 'x-palimpsest-key': KEY, 'x-palimpsest-session': session },
    'x-palimpsest-window': String(WINDOW),
  });
  const models: readonly (readonly [string, () => LanguageModel])[] = [
    [
      'anthropic',
      () =>
        createAnthropic({
          ...{ apiKey: 'p', baseURL: `${api.url}/gateway/anthropic/v1`, headers: headers('anthropic') },
        })('claude-opus-4-6'),
    ],
    [
      'chat',
      () =>
        createOpenAI({
          ...{ apiKey: 'p', baseURL: `${api.url}/gateway/openai/v1`, headers: headers('chat') },
        }).chat('gpt-5'),
    ],
    [
      'responses',
      () =>
        createOpenAI({
          ...{ apiKey: 'p', baseURL: `${api.url}/gateway/openai/v1`, headers: headers('responses') },
        }).responses('gpt-5'),
    ],
  ];

  it.each(models)('keeps its transcript over %s, and every request is valid', async (session, model) => {
    const messages: ModelMessage[] = [];
    for (let turn = 1; turn <= TURNS; turn += 1) {
      messages.push({ role: 'user', content: long(`Question ${turn}.`) });
      const stream = streamText({ model: model(), messages, tools, stopWhen: stepCountIs(4), maxRetries: 0 });
      for await (const part of stream.fullStream) if (part.type === 'error') throw part.error;
      messages.push(...(await stream.response).messages);
    }
    const kept = await exportOf(api, session);
    const spoken = (role: string) =>
      kept.filter((message) => message.role === role && JSON.stringify(message.content).includes('"text"'));
    expect(spoken('assistant')).toHaveLength(messages.filter(({ role }) => role === 'assistant').length);
    expect(JSON.stringify(kept)).toContain('Question 1.');
    const types = await typesOf(api, session);
    expect(types.filter((type) => type === 'CompactionApplied').length).toBeGreaterThanOrEqual(3);
    const { body } = await api.call('GET', '/v1/sessions');
    const names = Object(body).items.map((item: { session: string }) => item.session);
    expect(names.filter((name: string) => name.startsWith(session))).toEqual([session]);
    for (const { status } of [...anthropic.requests, ...openai.requests]) expect(status).toBe(200);
  });
});
