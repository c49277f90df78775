import Anthropic from '@anthropic-ai/sdk';
import { AnthropicServer, answer, call, OpenAiServer, type RecordedRequest } from '@app/testing/providers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import OpenAI from 'openai';
import { ApiServer, KEY } from '../support/api-server.js';

const TURNS = 6;
const INSTRUCTIONS = 'You are a careful agent. '.repeat(20);
const SUMMARY = '## Goal\nShip the parser.\n\n## State\nUnder way.';
/** About 1,100 tokens by the servers' count. */
const long = (text: string): string =>
  `${text} ${'The quick brown fox jumps over the lazy dog. '.repeat(100)}`;
const parameters = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] };

/**
 * Guarantee: if the session's own model summarizes behind its own request, the provider's cache serves nearly all of
 * it.
 */
describe('summary of a session behind the gateway', () => {
  let anthropic: AnthropicServer;
  let openai: OpenAiServer;
  let api: ApiServer;

  beforeAll(async () => {
    anthropic = await AnthropicServer.start();
    openai = await OpenAiServer.start();
    api = await ApiServer.start({
      PALIMPSEST_GATEWAY_ANTHROPIC: anthropic.url,
      PALIMPSEST_GATEWAY_OPENAI: `${openai.url}/v1`,
      PALIMPSEST_ANTHROPIC_BASE_URL: anthropic.url,
      PALIMPSEST_OPENAI_BASE_URL: `${openai.url}/v1`,
    });
    await api.call('PUT', '/v1/secrets/any', { value: 'the-tenants-key' });
    const own = (provider: string) => [{ provider, secret: 'any' }];
    const summarizers = Object.fromEntries(
      ['anthropic', 'openai-chat', 'openai-responses'].map((provider) => [provider, own(provider)]),
    );
    const put = await api.call('PUT', '/v1/summarizers', { default: null, summarizers });
    expect(put.status).toBe(200);
  });
  afterAll(async () => {
    await api.stop();
    await Promise.all([anthropic.close(), openai.close()]);
  });
  beforeEach(() => {
    anthropic.forget();
    openai.forget();
  });

  const headers = (session: string) => ({ 'x-palimpsest-key': KEY, 'x-palimpsest-session': session });
  const script = (server: AnthropicServer | OpenAiServer): void => {
    for (let turn = 1; turn <= TURNS; turn += 1)
      server.reply(
        answer('I look.', call('read', { path: `file-${turn}` })),
        answer(long(`Answer ${turn}.`)),
      );
  };
  const compactedBy = async (
    summarizer: string,
    server: AnthropicServer | OpenAiServer,
  ): Promise<RecordedRequest | undefined> => {
    const session = `/v1/sessions/${summarizer}`;
    const overrides = { summaryInput: 'prefix', summarizer, keepRecentTurns: 2, maxAttempts: 1 };
    expect((await api.call('PATCH', `${session}/settings`, { overrides })).status).toBe(200);
    server.reply(answer(SUMMARY));
    const done = await api.call('POST', `${session}/compactions?wait=true`, {});
    expect(done.body).toMatchObject({ outcome: 'completed' });
    return server.requests.at(-1);
  };

  it('reads at least 85 % of its input from OpenAI’s cache in the Chat Completions API', async () => {
    script(openai);
    const client = new OpenAI({
      ...{ apiKey: 'p', baseURL: `${api.url}/gateway/openai/v1`, maxRetries: 0 },
      defaultHeaders: headers('openai-chat'),
    });
    const tools = [
      { type: 'function' as const, function: { name: 'read', description: 'Reads.', parameters } },
    ];
    const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'developer', content: INSTRUCTIONS }];
    for (let turn = 1; turn <= TURNS; turn += 1) {
      messages.push({ role: 'user', content: long(`Question ${turn}.`) });
      for (let isOver = false; !isOver; ) {
        const { choices } = await client.chat.completions.create({ model: 'gpt-5', messages, tools });
        const [choice] = choices;
        if (!choice) throw new Error('no answer');
        messages.push(choice.message);
        const calls = choice.message.tool_calls ?? [];
        for (const { id } of calls)
          messages.push({ role: 'tool', tool_call_id: id, content: long(`Of ${id}.`) });
        isOver = calls.length === 0;
      }
    }
    const { usage } = (await compactedBy('openai-chat', openai)) ?? {};
    const { prompt_tokens: prompt, prompt_tokens_details: details } = Object(usage);
    expect(Object(details).cached_tokens / prompt).toBeGreaterThanOrEqual(0.85);
  });

  it('reads at least 85 % of its input from OpenAI’s cache in the Responses API', async () => {
    script(openai);
    const client = new OpenAI({
      ...{ apiKey: 'p', baseURL: `${api.url}/gateway/openai/v1`, maxRetries: 0 },
      defaultHeaders: headers('openai-responses'),
    });
    const tools = [
      { type: 'function' as const, name: 'read', description: 'Reads.', parameters, strict: false },
    ];
    const input: OpenAI.Responses.ResponseInputItem[] = [];
    for (let turn = 1; turn <= TURNS; turn += 1) {
      input.push({ role: 'user', content: [{ type: 'input_text', text: long(`Question ${turn}.`) }] });
      for (let isOver = false; !isOver; ) {
        const { output } = await client.responses.create({
          ...{ model: 'gpt-5', instructions: INSTRUCTIONS, tools, store: false },
          input,
        });
        const said: OpenAI.Responses.ResponseInputItem[] = JSON.parse(JSON.stringify(output));
        input.push(...said);
        const calls = output.filter((item) => item.type === 'function_call');
        for (const { call_id } of calls)
          input.push({ type: 'function_call_output', call_id, output: long(`Of ${call_id}.`) });
        isOver = calls.length === 0;
      }
    }
    const { usage } = (await compactedBy('openai-responses', openai)) ?? {};
    const { input_tokens: prompt, input_tokens_details: details } = Object(usage);
    expect(Object(details).cached_tokens / prompt).toBeGreaterThanOrEqual(0.85);
  });

  it('reads at least 85 % of its input from Anthropic’s cache', async () => {
    script(anthropic);
    const client = new Anthropic({
      ...{ apiKey: 'p', baseURL: `${api.url}/gateway/anthropic`, maxRetries: 0 },
      defaultHeaders: headers('anthropic'),
    });
    const tools = [
      { name: 'read', description: 'Reads.', input_schema: { ...parameters, type: 'object' as const } },
    ];
    const system = [{ type: 'text' as const, text: INSTRUCTIONS }];
    const messages: Anthropic.MessageParam[] = [];
    for (let turn = 1; turn <= TURNS; turn += 1) {
      messages.push({ role: 'user', content: long(`Question ${turn}.`) });
      for (let isOver = false; !isOver; ) {
        const { content } = await client.messages.create({
          ...{ model: 'claude-opus-4-6', max_tokens: 2_000, system, tools, messages },
          cache_control: { type: 'ephemeral' },
        });
        messages.push({ role: 'assistant', content });
        const calls = content.filter((block) => block.type === 'tool_use');
        if (calls.length > 0)
          messages.push({
            role: 'user',
            content: calls.map(({ id }) => ({
              type: 'tool_result',
              tool_use_id: id,
              content: long(`Of ${id}.`),
            })),
          });
        isOver = calls.length === 0;
      }
    }
    const { usage } = (await compactedBy('anthropic', anthropic)) ?? {};
    const {
      input_tokens: rest,
      cache_read_input_tokens: read,
      cache_creation_input_tokens: written,
    } = Object(usage);
    expect(read / (rest + read + written)).toBeGreaterThanOrEqual(0.85);
  });
});
