import type Anthropic from '@anthropic-ai/sdk';
import { anthropicSummarizer } from '@app/adapters/summarizer-anthropic';
import { AnthropicServer, answer } from '@app/testing/providers';
import { afterAll, describe, expect, it } from '@jest/globals';
import { anthropicAt, GPT, MODEL, openAiAt, saying } from './support/clients.js';
import { startGateway } from './support/start-gateway.js';

const SUMMARY = '## Goal\nShip it.\n\n## State\nUnder way.';
const BETAS = ['compact-2026-01-12', 'compact-2026-09-04', 'context-management-2025-06-27'];
/** The provider's minimum threshold. */
const TRIGGER = 50_000;
const compact: Anthropic.Beta.BetaContextManagementConfig = {
  edits: [{ type: 'compact_20260112', trigger: { type: 'input_tokens', value: TRIGGER } }],
};
const clear: Anthropic.Beta.BetaContextManagementConfig = {
  edits: [
    {
      type: 'clear_tool_uses_20250919',
      trigger: { type: 'tool_uses', value: 1 },
      keep: { type: 'tool_uses', value: 1 },
    },
  ],
};
const long = (tokens: number): string => 'word '.repeat((tokens * 4) / 5);

const summaries = await AnthropicServer.start({ script: () => ({ ...answer(SUMMARY), outputTokens: 40 }) });
const { anthropic, openai, gateway } = await startGateway({
  summarizer: anthropicSummarizer({
    ...{ apiKey: 'k', baseUrl: summaries.url, model: MODEL, isSessionModel: false, maxOutput: 64_000 },
  }),
});

/** Guarantee: reports about two compacting parties derive only from the exchanged messages. */
describe('session whose provider compacts too', () => {
  afterAll(() => summaries.close());

  type Asking = { readonly messages: Anthropic.Beta.BetaMessageParam[]; readonly window?: number };
  const ask = (
    session: string,
    { messages, window = 0 }: Asking,
    more: Partial<Anthropic.Beta.MessageCreateParamsNonStreaming> = {},
  ) =>
    anthropicAt(gateway, { session, window }).beta.messages.create({
      ...{ model: MODEL, max_tokens: 500, betas: BETAS, messages, ...more },
    });
  const configured = async (session: string) =>
    (await gateway.events(session)).flatMap((event) =>
      event.type === 'DuplicateCompactionConfigured' ? [event.data.since] : [],
    );
  const reported = async (session: string) =>
    (await gateway.events(session)).flatMap((event) =>
      event.type === 'ProviderContextEdited' ? [event.data] : [],
    );

  // Holds rule 9.15.
  it('is reported once when its first request asks for it', async () => {
    const messages = saying('Hello.');
    await ask('first', { messages }, { context_management: compact });
    await ask('first', { messages: [...messages, ...saying('Go on.')] }, { context_management: compact });
    expect(await configured('first')).toEqual(['session-start']);
  });

  // Holds rule 9.15.
  it('is reported when a later request begins to ask for it, and again only after one without', async () => {
    const messages: Anthropic.Beta.BetaMessageParam[] = [];
    for (const management of [undefined, clear, clear, undefined, compact]) {
      messages.push({ role: 'user', content: `Turn ${messages.length}.` });
      const asked = management ? { context_management: management } : {};
      const { content } = await ask('later', { messages }, asked);
      messages.push({ role: 'assistant', content });
    }
    expect(await configured('later')).toEqual(['settings-changed', 'settings-changed']);
  });

  it('is not reported if the request keeps all thinking, or asks for nothing', async () => {
    const keep: Anthropic.Beta.BetaContextManagementConfig = {
      edits: [{ type: 'clear_thinking_20251015', keep: 'all' }],
    };
    const thinking = { type: 'adaptive' as const };
    await ask(
      'kept',
      { messages: saying('Hello.') },
      { context_management: keep, thinking, max_tokens: 2_000 },
    );
    await ask('kept-2', { messages: saying('Hello!') }, { context_management: { edits: [] } });
    expect([...(await configured('kept')), ...(await configured('kept-2'))]).toEqual([]);
  });

  it('reports the edits of its provider, streamed or not', async () => {
    const tools = [{ name: 'read', input_schema: { type: 'object' as const } }];
    const messages = [1, 2, 3].flatMap((at): Anthropic.Beta.BetaMessageParam[] => [
      {
        role: 'user',
        content:
          at === 1 ? 'Read.' : [{ type: 'tool_result', tool_use_id: `t${at - 1}`, content: long(200) }],
      },
      { role: 'assistant', content: [{ type: 'tool_use', id: `t${at}`, name: 'read', input: {} }] },
    ]);
    messages.push({ role: 'user', content: [{ type: 'tool_result', tool_use_id: 't3', content: 'Done.' }] });
    const body = { model: MODEL, max_tokens: 500, betas: BETAS, messages, tools, context_management: clear };
    await ask('cleared', { messages }, { tools, context_management: clear });
    await anthropicAt(gateway, { session: 'cleared-2' }).beta.messages.stream(body).finalMessage();
    for (const session of ['cleared', 'cleared-2'])
      expect(await reported(session)).toMatchObject([
        { clearedToolUses: 2, clearedInputTokens: expect.any(Number) },
      ]);
  });

  // Holds rule 9.16.
  it('has both costs if its provider has compacted after this engine in one turn', async () => {
    const script = { ...answer('Short.'), compaction: 'What the provider makes of it.' };
    anthropic.reply(answer('Go on.'), script);
    const window = 120_000;
    const messages = saying(...Array.from({ length: 11 }, (_, at) => `${at} ${long(6_000)}`));
    const { content } = await ask('after', { messages, window });
    // Too large by now: compacted before it is sent, and the rest is above the provider's own trigger.
    const more = [...messages, { role: 'assistant' as const, content }, ...saying(long(52_000))];
    await ask('after', { messages: more, window }, { context_management: compact });
    const ran = (await gateway.events('after')).filter(({ type }) => type === 'CompactionDuplicated');
    expect(ran.map(({ data }) => data)).toMatchObject([
      {
        ...{ worker: 'provider', attempt: 1, usage: { inputTokens: expect.any(Number) } },
        cost: { prices: [expect.anything()] },
        applied: { worker: 'w1', usage: { outputTokens: 40 }, cost: { prices: [expect.anything()] } },
      },
    ]);
    expect((await reported('after'))[0]?.compaction?.usage?.inputTokens).toBeGreaterThan(TRIGGER / 2);
  });

  // Holds rule 9.16.
  it('has both costs if its provider has compacted first', async () => {
    anthropic.reply({ ...answer('Short.'), outputTokens: 90_000, compaction: 'Of the provider’s.' });
    const messages = saying(...Array.from({ length: 11 }, (_, at) => `${at} ${long(6_000)}`));
    // The answer is so long that this engine compacts at once, while the client reads.
    await ask('before', { messages, window: 100_000 }, { context_management: compact });
    const types = await gateway.recorded('before', 'CompactionApplied');
    const applied = types.indexOf('CompactionApplied');
    expect(types.slice(applied, applied + 2)).toEqual(['CompactionApplied', 'CompactionDuplicated']);
  });

  // Holds rule 9.16.
  it('has a double compaction if its provider has cleared tool uses in the turn of a compaction', async () => {
    anthropic.reply(answer('Go on.'), answer('Done.'));
    const window = 120_000;
    const tools = [{ name: 'read', input_schema: { type: 'object' as const } }];
    const past = saying(...Array.from({ length: 15 }, (_, at) => `${at} ${long(6_000)}`));
    const { content } = await ask('edited', { messages: past, window }, { tools });
    const steps = [1, 2, 3].flatMap((at): Anthropic.Beta.BetaMessageParam[] => [
      { role: 'assistant', content: [{ type: 'tool_use', id: `t${at}`, name: 'read', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: `t${at}`, content: long(200) }] },
    ]);
    const messages = [...past, { role: 'assistant' as const, content }, ...saying(long(26_000)), ...steps];
    await ask('edited', { messages, window }, { tools, context_management: clear });
    const ran = (await gateway.events('edited')).filter(({ type }) => type === 'CompactionDuplicated');
    expect(ran.map(({ data }) => data)).toMatchObject([
      {
        worker: 'provider',
        provider: { compacted: false, clearedToolUses: 2, clearedInputTokens: expect.any(Number) },
        applied: { worker: 'w1', usage: { outputTokens: 40 } },
      },
    ]);
  });

  // Holds rule 9.16.
  it('has no double compaction if only its provider compacts, and keeps the block unchanged', async () => {
    anthropic.reply({ ...answer('Short.'), compaction: 'What the provider makes of it.' });
    const messages = saying(long(60_000));
    const answered = await ask('alone', { messages }, { context_management: compact });
    expect(await gateway.types('alone')).not.toContain('CompactionDuplicated');
    expect((await gateway.exported('alone')).at(-1)).toEqual({
      role: 'assistant',
      content: answered.content,
    });
    // A client may omit everything before the block: then its history is a new one.
    anthropic.reply(answer('On.'));
    const from = [{ role: 'assistant' as const, content: answered.content }, ...saying('Go on.')];
    await ask('alone', { messages: from }, { context_management: compact });
    expect(anthropic.requests.at(-1)?.status).toBe(200);
  });

  it('is reported if the client has its provider compact on demand, and continues from that', async () => {
    anthropic.reply(answer('All in short.'), answer('On.'));
    const messages = [...saying('Hello.', 'Good morning.'), ...saying('And now?')];
    const { content } = await ask('demand', { messages }, { compaction: { type: 'summarize' } });
    expect(content).toMatchObject([{ type: 'compaction', content: 'All in short.' }]);
    expect(await configured('demand')).toEqual(['session-start']);
    expect(await reported('demand')).toMatchObject([
      { compaction: { usage: { outputTokens: expect.any(Number) } } },
    ]);
    const from = [{ role: 'assistant' as const, content }, ...saying('Go on.')];
    await ask('demand-2', { messages: from });
    expect(await configured('demand-2')).toEqual(['session-start']);
    expect(await gateway.exported('demand-2')).toHaveLength(3);
  });

  // Holds rule 9.15.
  it('is reported in OpenAI’s Responses API, too', async () => {
    const client = openAiAt(gateway, { session: 'responses' });
    openai.reply({ ...answer('Short.'), compaction: 'Hidden.' });
    const { output } = await client.responses.create({
      ...{ model: GPT, input: long(2_000) },
      context_management: [{ type: 'compaction', compact_threshold: 1_000 }],
    });
    expect(output.map(({ type }) => type)).toEqual(['message', 'compaction']);
    expect(await configured('responses')).toEqual(['session-start']);
    expect(await reported('responses')).toMatchObject([{ compaction: {} }]);
    const dropping = openAiAt(gateway, { session: 'truncation' });
    await dropping.responses.create({ model: GPT, input: 'Hello.', truncation: 'auto' });
    expect(await configured('truncation')).toEqual(['session-start']);
  });
});
