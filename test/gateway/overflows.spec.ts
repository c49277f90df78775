import Anthropic from '@anthropic-ai/sdk';
import { answer, fail } from '@app/testing/providers';
import { describe, expect, it } from '@jest/globals';
import OpenAI from 'openai';
import { anthropicAt, ask, GPT, openAiAt, saying } from './support/clients.js';
import { startGateway } from './support/start-gateway.js';

const { anthropic, openai, gateway } = await startGateway();

/** About 340 tokens. */
const long = (text: string): string =>
  `${text} ${'The quick brown fox jumps over the lazy dog. '.repeat(30)}`;
/** Returns a history of `messages` messages, which ends with a user message. */
const history = (messages: number) =>
  saying(...Array.from({ length: messages }, (_, at) => long(`Said ${at}.`)));

/**
 * Guarantee: a request that its provider finds too large is reduced, and if that is impossible the error is
 * forwarded.
 */
describe('overflowing request', () => {
  const countOf = async (session: string, type: string): Promise<number> =>
    (await gateway.types(session)).filter((one) => one === type).length;

  // Holds rules 9.13, 9.14.
  it('is compacted once and retried smaller until the ladder is exhausted: then the client receives the error', async () => {
    const client = anthropicAt(gateway, { session: 'twice', window: 20_000 });
    anthropic.reply(...Array.from({ length: 20 }, () => fail('overflow')));
    const asked = ask(client, history(19));
    await expect(asked).rejects.toBeInstanceOf(Anthropic.BadRequestError);
    await expect(asked).rejects.toThrow(/prompt is too long/);
    const sizes = anthropic.requests.map(({ text }) => text.length);
    expect(sizes.length).toBeGreaterThan(2);
    expect(sizes.every((size, at) => at === 0 || size < (sizes[at - 1] ?? 0))).toBe(true);
    expect(await countOf('twice', 'CompactionRequested')).toBe(1);
    expect(await countOf('twice', 'OverflowReported')).toBe(sizes.length);
    const events = await gateway.events('twice');
    expect(events.find(({ type }) => type === 'ContextOverflowed')?.data).toMatchObject({
      reason: 'repeated-overflow',
      rung: expect.stringMatching(/drop-groups|newest-group/),
      parts: expect.arrayContaining([{ part: expect.any(String), tokens: expect.any(Number) }]),
      remedies: expect.arrayContaining([{ remedy: 'use-larger-model', window: expect.any(Number) }]),
    });
  });

  // Holds rule 9.6.
  it('is compacted again only after new messages', async () => {
    const client = anthropicAt(gateway, { session: 'again', window: 20_000 });
    const messages: Anthropic.MessageParam[] = history(19);
    anthropic.reply(fail('overflow'), answer('Now.'));
    expect((await ask(client, messages)).text).toBe('Now.');
    expect(await countOf('again', 'CompactionApplied')).toBe(1);
    messages.push({ role: 'assistant', content: 'Now.' }, { role: 'user', content: long('And?') });
    anthropic.reply(fail('overflow'), answer('Then.'));
    expect((await ask(client, messages)).text).toBe('Then.');
    expect(await countOf('again', 'ContextOverflowed')).toBe(0);
    expect(await gateway.exported('again')).toHaveLength(22);
  });

  // Holds rule 9.8.
  it('uses the ladder if no compaction helps, and its provider accepts the result', async () => {
    const client = anthropicAt(gateway, { session: 'ladder', window: 20_000 });
    // A single turn: nothing to summarize, but results to truncate.
    const calls: Anthropic.MessageParam[] = Array.from({ length: 6 }, (_, at): Anthropic.MessageParam[] => [
      { role: 'assistant', content: [{ type: 'tool_use', id: `t${at}`, name: 'read', input: {} }] },
      {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: `t${at}`, content: long(`${at}`).repeat(3) }],
      },
    ]).flat();
    anthropic.reply(fail('overflow'), answer('Read.'));
    const tools = [{ name: 'read', input_schema: { type: 'object' as const } }];
    const messages: Anthropic.MessageParam[] = [{ role: 'user', content: 'Read all.' }, ...calls];
    expect((await ask(client, messages, { tools })).text).toBe('Read.');
    const composed = (await gateway.events('ladder')).findLast(({ type }) => type === 'RequestComposed');
    expect(composed?.data).toMatchObject({ ladder: { rung: expect.any(String) } });
    const [first, second] = anthropic.requests;
    expect(second?.status).toBe(200);
    expect(second?.text.length).toBeLessThan(first?.text.length ?? 0);
    expect(await gateway.exported('ladder')).toEqual([
      ...messages.map(({ role, content }) => ({
        role,
        content: typeof content === 'string' ? [{ type: 'text', text: content }] : content,
      })),
      { role: 'assistant', content: [{ type: 'text', text: 'Read.' }] },
    ]);
  });

  // Holds rule 9.14.
  it('is rejected in the provider’s format before a provider call if nothing makes it fit', async () => {
    const tooMuch = 'word '.repeat(6_000);
    const asked = ask(anthropicAt(gateway, { session: 'never', window: 4_000 }), saying(tooMuch));
    await expect(asked).rejects.toThrow(/prompt is too long/);
    expect(await countOf('never', 'ContextOverflowed')).toBe(1);
    const chat = openAiAt(gateway, { session: 'never-chat', window: 4_000 });
    const chatted = chat.chat.completions.create({
      model: GPT,
      messages: [{ role: 'user', content: tooMuch }],
    });
    await expect(chatted).rejects.toMatchObject({ status: 400, code: 'context_length_exceeded' });
    expect([...anthropic.requests, ...openai.requests]).toEqual([]);
  });

  // Holds rule 9.6.
  it.each(['chat', 'responses'] as const)(
    'is recognized in the error text of OpenAI’s %s API',
    async (api) => {
      const client = openAiAt(gateway, { session: `openai-${api}`, window: 20_000 });
      openai.reply(fail('overflow'), answer('Now.'));
      const messages = history(19);
      const said =
        api === 'chat'
          ? (await client.chat.completions.create({ model: GPT, messages })).choices[0]?.message.content
          : (await client.responses.create({ model: GPT, input: messages })).output_text;
      expect(said).toBe('Now.');
      expect(await countOf(`openai-${api}`, 'CompactionApplied')).toBe(1);
    },
  );

  // Holds rule 9.5.
  it('is not assumed for a rate limit about tokens: the client receives it unchanged, and nothing is recorded', async () => {
    const message = 'Number of request tokens has exceeded your per-minute limit: your input exceeds it';
    anthropic.reply(fail('rate-limited', { message }));
    const asked = ask(anthropicAt(gateway, { session: 'limited', window: 20_000 }), history(19));
    await expect(asked).rejects.toBeInstanceOf(Anthropic.RateLimitError);
    openai.reply(fail('rate-limited', { message }));
    const chat = openAiAt(gateway, { session: 'limited-chat', window: 20_000 });
    const chatted = chat.chat.completions.create({ model: GPT, messages: history(19) });
    await expect(chatted).rejects.toBeInstanceOf(OpenAI.RateLimitError);
    for (const session of ['limited', 'limited-chat'])
      expect(await countOf(session, 'OverflowReported')).toBe(0);
    expect(anthropic.requests).toHaveLength(1);
  });
});
