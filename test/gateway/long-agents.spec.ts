import type Anthropic from '@anthropic-ai/sdk';
import { type Answer, answer, call, type RecordedRequest, thinking } from '@app/testing/providers';
import { describe, expect, it } from '@jest/globals';
import type OpenAI from 'openai';
import { anthropicAt, GPT, openAiAt } from './support/clients.js';
import { startGateway } from './support/start-gateway.js';

const WINDOW = 6_000;
const STEPS = 36;
const long = (text: string): string => `${text} ${'The parser is green, and the lexer is not. '.repeat(25)}`;
const READ = { name: 'read', description: 'Reads.', schema: { type: 'object' as const } };

/** Every third answer ends a turn; the others think, and make two parallel calls. */
const script = ({ at }: RecordedRequest): Answer =>
  at % 3 === 2
    ? answer(thinking(`So it is ${at}.`), long(`Answer ${at}.`))
    : answer(thinking(`Two of ${at}.`), `I look ${at}.`, call('read', { a: at }), call('read', { b: at }));

const { anthropic, openai, gateway } = await startGateway({ anthropic: { script }, openai: { script } });

/** Guarantee: the provider accepts every request of an agent with thinking and tools that is compacted repeatedly. */
describe('long-running agent in a small window', () => {
  const expectCompacted = async (session: string): Promise<void> => {
    const applied = (await gateway.types(session)).filter((type) => type === 'CompactionApplied');
    expect(applied.length).toBeGreaterThanOrEqual(3);
    for (const { status } of [...anthropic.requests, ...openai.requests]) expect(status).toBe(200);
  };

  // The newer model binds its thinking to the content before it.
  it.each(['claude-opus-4-6', 'claude-opus-5-5'])(
    'continues with %s, with its thinking where allowed',
    async (model) => {
      const client = anthropicAt(gateway, { session: model, window: WINDOW });
      const messages: Anthropic.Beta.BetaMessageParam[] = [];
      let results: Anthropic.Beta.BetaToolResultBlockParam[] = [];
      for (let step = 0; step < STEPS; step += 1) {
        messages.push({
          role: 'user',
          content: results.length > 0 ? results : [{ type: 'text', text: long(`Do ${step}.`) }],
        });
        const { content } = await client.beta.messages
          .stream({
            ...{ model, max_tokens: 2_000, messages, system: 'Be brief.' },
            thinking: { type: 'adaptive' },
            tools: [{ name: READ.name, description: READ.description, input_schema: READ.schema }],
          })
          .finalMessage();
        messages.push({ role: 'assistant', content });
        results = content.flatMap((block) =>
          block.type === 'tool_use'
            ? [{ type: 'tool_result', tool_use_id: block.id, content: long(block.id) }]
            : [],
        );
      }
      expect(await gateway.exported(model)).toEqual(messages);
      await expectCompacted(model);
    },
  );

  it('continues with OpenAI Chat Completions', async () => {
    const client = openAiAt(gateway, { session: 'chat', window: WINDOW });
    const messages: OpenAI.ChatCompletionMessageParam[] = [];
    for (let step = 0, due = 0; step < STEPS; step += 1) {
      if (due === 0) messages.push({ role: 'user', content: long(`Do ${step}.`) });
      const { choices } = await client.chat.completions.create({
        ...{ model: GPT, messages },
        tools: [{ type: 'function', function: { name: READ.name, parameters: READ.schema } }],
      });
      const { content = null, tool_calls: calls = [] } = choices[0]?.message ?? {};
      messages.push({ role: 'assistant', content, ...(calls.length > 0 && { tool_calls: calls }) });
      for (const { id } of calls) messages.push({ role: 'tool', tool_call_id: id, content: long(id) });
      due = calls.length;
    }
    expect((await gateway.exported('chat')).length).toBe(messages.length);
    await expectCompacted('chat');
  });

  it('continues with OpenAI Responses, with encrypted reasoning', async () => {
    const client = openAiAt(gateway, { session: 'responses', window: WINDOW });
    const input: OpenAI.Responses.ResponseInputItem[] = [];
    for (let step = 0, due = 0; step < STEPS; step += 1) {
      if (due === 0) input.push({ role: 'user', content: long(`Do ${step}.`) });
      const { output } = await client.responses.create({
        ...{ model: GPT, input, store: false, include: ['reasoning.encrypted_content'] },
        tools: [{ type: 'function', name: READ.name, parameters: READ.schema, strict: false }],
      });
      input.push(...(output as OpenAI.Responses.ResponseInputItem[]));
      const calls = output.filter((item) => item.type === 'function_call');
      for (const { call_id } of calls)
        input.push({ type: 'function_call_output', call_id, output: long(call_id) });
      due = calls.length;
    }
    await expectCompacted('responses');
  });
});
