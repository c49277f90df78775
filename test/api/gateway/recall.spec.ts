import Anthropic from '@anthropic-ai/sdk';
import { AnthropicServer, answer, call, fail, OpenAiServer, thinking } from '@app/testing/providers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import OpenAI from 'openai';
import { ApiServer, KEY } from '../support/api-server.js';
import { exportOf, typesOf } from './support/sessions.js';

const RECALL = 'recall_history';
const tool = { name: 'read', description: 'Reads a file.', input_schema: { type: 'object' as const } };
const fn = { type: 'function' as const, name: 'read', parameters: { type: 'object' }, strict: false };

/** The client knows only its provider, and never sees tool calls that it could not answer. */
describe('gateway client whose model recalls omitted messages', () => {
  let anthropic: AnthropicServer;
  let openai: OpenAiServer;
  let api: ApiServer;
  beforeAll(async () => {
    anthropic = await AnthropicServer.start();
    openai = await OpenAiServer.start();
    api = await ApiServer.startAlone({
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

  const headers = (session: string) => ({
    ...{ 'x-palimpsest-key': KEY, 'x-palimpsest-session': session, 'x-palimpsest-recall': 'on' },
  });
  const anthropicAt = (session: string) =>
    new Anthropic({
      ...{ apiKey: 'p', baseURL: `${api.url}/gateway/anthropic`, maxRetries: 0 },
      defaultHeaders: headers(session),
    });
  const openAiAt = (session: string) =>
    new OpenAI({
      ...{ apiKey: 'p', baseURL: `${api.url}/gateway/openai/v1`, maxRetries: 0 },
      defaultHeaders: headers(session),
    });
  const recalls = (id?: string) => call(RECALL, { message: 'none' }, id);
  const countOf = async (session: string, type: string) =>
    (await typesOf(api, session)).filter((one) => one === type).length;

  describe.each([true, false])('Anthropic Messages (stream: %s)', (stream) => {
    const ask = async (client: Anthropic, messages: Anthropic.Beta.BetaMessageParam[]) => {
      const body = { model: 'claude-opus-4-6', max_tokens: 500, messages, tools: [tool] };
      const more = { thinking: { type: 'adaptive' as const }, max_tokens: 2_000 };
      return stream
        ? client.beta.messages.stream({ ...body, ...more }).finalMessage()
        : client.beta.messages.create({ ...body, ...more });
    };

    // Holds rule 10.19.
    it('receives one answer for all recall rounds, and continues from it', async () => {
      const session = `a-rounds-${stream}`;
      const client = anthropicAt(session);
      anthropic.reply(
        answer(thinking('What was it?'), 'I look.', recalls()),
        answer(recalls(), recalls()),
        answer('It was blue.'),
        answer('You are welcome.'),
      );
      const messages: Anthropic.Beta.BetaMessageParam[] = [{ role: 'user', content: 'Which colour?' }];
      const first = await ask(client, messages);
      expect(first.content.map(({ type }) => type)).toEqual(['thinking', 'text', 'text']);
      expect(first).toMatchObject({
        stop_reason: 'end_turn',
        content: [{}, { text: 'I look.' }, { text: 'It was blue.' }],
      });
      const billed = anthropic.requests.map(({ usage }) => Number(Object(usage).output_tokens ?? 0));
      expect(first.usage.output_tokens).toBeGreaterThanOrEqual(Math.max(...billed));
      expect(anthropic.requests.map(({ status }) => status)).toEqual([200, 200, 200]);
      const [, , third] = anthropic.requests.map(({ body }) => Object(body));
      expect(third.tools.map(({ name }: { name: string }) => name)).toEqual(['read', RECALL]);
      expect(third.messages.slice(1).map(({ role }: { role: string }) => role)).toEqual([
        'assistant',
        'user',
        'assistant',
        'user',
      ]);
      expect(third.messages[4].content).toHaveLength(2);
      expect(await countOf(session, 'UsageReported')).toBe(3);
      expect(await countOf(session, 'RequestComposed')).toBe(3);
      expect(await countOf(session, 'TurnCompleted')).toBe(1);

      messages.push({ role: 'assistant', content: first.content }, { role: 'user', content: 'Thanks.' });
      await ask(client, messages);
      const { messages: sent } = Object(anthropic.requests.at(-1)?.body);
      expect(sent.slice(0, 5)).toEqual(third.messages);
      expect(sent.slice(5)).toMatchObject([
        { role: 'assistant', content: [{ type: 'text', text: 'It was blue.' }] },
        { role: 'user', content: 'Thanks.' },
      ]);
      expect(await exportOf(api, session)).toHaveLength(8);
    });

    // Holds rule 10.19.
    it('answers its own tool calls while the gateway answers recalls beside them', async () => {
      const session = `a-mixed-${stream}`;
      const client = anthropicAt(session);
      anthropic.reply(
        answer('Both.', recalls('toolu_r'), call('read', { path: 'a' }, 'toolu_c')),
        answer('Done.'),
      );
      const messages: Anthropic.Beta.BetaMessageParam[] = [{ role: 'user', content: 'Go.' }];
      const first = await ask(client, messages);
      expect(first.stop_reason).toBe('tool_use');
      expect(first.content).toMatchObject([
        { text: 'Both.' },
        { type: 'tool_use', name: 'read', input: { path: 'a' } },
      ]);
      messages.push(
        { role: 'assistant', content: first.content },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_c', content: 'of a' }] },
      );
      expect(await ask(client, messages)).toMatchObject({ content: [{ text: 'Done.' }] });
      const { messages: sent } = Object(anthropic.requests.at(-1)?.body);
      expect(sent).toHaveLength(3);
      expect(sent[1].content).toMatchObject([{}, { name: RECALL }, { name: 'read' }]);
      expect(sent[2].content).toMatchObject([
        { tool_use_id: 'toolu_r', is_error: true },
        { tool_use_id: 'toolu_c' },
      ]);
    });

    // Holds rule 10.19.
    it('receives an end of turn if the model only recalls, and may retry after a failed round', async () => {
      const session = `a-ends-${stream}`;
      const client = anthropicAt(session);
      anthropic.reply(...Array.from({ length: 9 }, () => answer(recalls())));
      const endless = await ask(client, [{ role: 'user', content: 'Go.' }]);
      expect(endless).toMatchObject({ stop_reason: 'end_turn', content: [] });
      expect(anthropic.requests).toHaveLength(9);

      anthropic.reply(answer('I look.', recalls()), fail('server-error'), answer('Found.'));
      const again = [{ role: 'user' as const, content: 'Once more.' }];
      await expect(ask(anthropicAt(`${session}-2`), again)).rejects.toThrow();
      expect(await ask(anthropicAt(`${session}-2`), again)).toMatchObject({ content: [{ text: 'Found.' }] });
      expect(Object(anthropic.requests.at(-1)?.body).messages).toHaveLength(3);
    });
  });

  describe.each([true, false])('OpenAI Chat Completions (stream: %s)', (stream) => {
    const tools = [{ type: 'function' as const, function: { name: 'read', parameters: { type: 'object' } } }];
    const ask = async (client: OpenAI, messages: OpenAI.ChatCompletionMessageParam[]) => {
      const body = { model: 'gpt-5', messages, tools };
      const { choices } = stream
        ? await client.chat.completions
            .stream({ ...body, stream_options: { include_usage: true } })
            .finalChatCompletion()
        : await client.chat.completions.create(body);
      return choices[0];
    };

    it('receives one answer for all recall rounds, and answers its own tool calls', async () => {
      const session = `c-${stream}`;
      const client = openAiAt(session);
      openai.reply(
        answer('I look.', recalls()),
        answer('Both.', call('read', { path: 'a' }), recalls()),
        answer('Done.'),
      );
      const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'Go.' }];
      const first = await ask(client, messages);
      expect(first).toMatchObject({ finish_reason: 'tool_calls', message: { content: 'I look.\n\nBoth.' } });
      const calls = first?.message.tool_calls ?? [];
      expect(calls).toMatchObject([{ function: { name: 'read' } }]);
      const id = calls[0]?.id ?? '';
      messages.push(
        {
          role: 'assistant',
          content: first?.message.content ?? '',
          tool_calls: [{ id, type: 'function', function: { name: 'read', arguments: '{"path":"a"}' } }],
        },
        { role: 'tool', tool_call_id: id, content: 'of a' },
      );
      expect(await ask(client, messages)).toMatchObject({
        finish_reason: 'stop',
        message: { content: 'Done.' },
      });
      expect(openai.requests.map(({ status }) => status)).toEqual([200, 200, 200]);
      const { messages: sent } = Object(openai.requests.at(-1)?.body);
      expect(sent.map(({ role }: { role: string }) => role)).toEqual([
        'user',
        'assistant',
        'tool',
        'assistant',
        'tool',
        'tool',
      ]);
      expect(await countOf(session, 'UsageReported')).toBe(3);
    });
  });

  describe.each([true, false])('OpenAI Responses (stream: %s)', (stream) => {
    const ask = async (client: OpenAI, input: OpenAI.Responses.ResponseInputItem[], previous?: string) => {
      const body = {
        model: 'gpt-5',
        input,
        tools: [fn],
        ...(previous !== undefined && { previous_response_id: previous }),
      };
      return stream ? client.responses.stream(body).finalResponse() : client.responses.create(body);
    };

    // Holds rule 10.19.
    it('receives one answer for all recall rounds, and continues from it by its items or its id', async () => {
      const session = `r-${stream}`;
      const client = openAiAt(session);
      openai.reply(
        answer('I look.', recalls()),
        answer('Both.', call('read', { path: 'a' }), recalls()),
        answer('Done.'),
        answer('Again.'),
      );
      const input: OpenAI.Responses.ResponseInputItem[] = [{ role: 'user', content: 'Go.' }];
      const first = await ask(client, input);
      expect(first.output.map(({ type }) => type)).toEqual(['message', 'message', 'function_call']);
      const called = first.output.flatMap((item) => (item.type === 'function_call' ? [item.call_id] : []));
      const outputs = called.map((call_id) => ({
        type: 'function_call_output' as const,
        call_id,
        output: 'of a',
      }));
      const second = await ask(client, [
        ...input,
        ...(first.output as OpenAI.Responses.ResponseInputItem[]),
        ...outputs,
      ]);
      expect(second.output_text).toBe('Done.');
      const third = await ask(client, [{ role: 'user', content: 'Go on.' }], second.id);
      expect(third.output_text).toBe('Again.');
      expect(openai.requests.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      const { input: sent, previous_response_id: named } = Object(openai.requests.at(-1)?.body);
      expect(named).toBeUndefined();
      expect(sent.filter(({ name }: { name?: string }) => name === RECALL)).toHaveLength(2);
      expect(sent.filter(({ type }: { type?: string }) => type === 'function_call_output')).toHaveLength(3);
      expect(await countOf(session, 'UsageReported')).toBe(4);
    });
  });

  it('is left unchanged without the recall option or with an own tool of that name', async () => {
    const plain = new Anthropic({
      ...{ apiKey: 'p', baseURL: `${api.url}/gateway/anthropic`, maxRetries: 0 },
      defaultHeaders: { 'x-palimpsest-key': KEY },
    });
    const own = { ...tool, name: RECALL };
    for (const [client, tools] of [
      [plain, [tool]],
      [anthropicAt('own'), [own]],
    ] as const) {
      anthropic.reply(answer(recalls('toolu_own')));
      const made = await client.messages.create({
        ...{ model: 'claude-opus-4-6', max_tokens: 64, tools: [...tools] },
        messages: [{ role: 'user', content: `Hello, ${tools[0].name}.` }],
      });
      expect(made.content).toMatchObject([{ type: 'tool_use', id: 'toolu_own' }]);
      expect(Object(anthropic.requests.at(-1)?.body).tools).toEqual(tools);
    }
  });

  it('recalls from its own session only', async () => {
    const client = anthropicAt('found');
    const messages: Anthropic.MessageParam[] = [{ role: 'user', content: 'The word is Zwiebelfisch.' }];
    anthropic.reply(answer('Noted.'));
    await client.messages.create({ model: 'claude-opus-4-6', max_tokens: 64, messages });
    const { body } = await api.call('GET', '/v1/sessions/found/export');
    const { id } = JSON.parse(String(body).split('\n')[0] ?? '{}');
    anthropic.reply(answer(call(RECALL, { message: id })), answer('It is Zwiebelfisch.'));
    messages.push({ role: 'assistant', content: 'Noted.' }, { role: 'user', content: 'Which word?' });
    await client.messages.create({ model: 'claude-opus-4-6', max_tokens: 64, messages });
    const { messages: sent } = Object(anthropic.requests.at(-1)?.body);
    expect(sent.at(-1).content[0].content).toContain('The word is Zwiebelfisch.');
  });
});
