import type Anthropic from '@anthropic-ai/sdk';
import { AnthropicServer, answer, call, fail, thinking } from '@app/testing/providers';
import { anthropicClient } from './support/anthropic.js';

type Beta = Anthropic.Beta.MessageCreateParamsNonStreaming;
type Message = Anthropic.Beta.BetaUserMessageParam | Anthropic.Beta.BetaAssistantMessageParam;
const MODEL = 'claude-opus-5-5';
const asked = { model: MODEL, max_tokens: 1_000 };
const words = (tokens: number): string => 'word'.repeat(tokens);
const user = (content: Message['content']): Message => ({ role: 'user', content });
const assistant = (content: Message['content']): Message => ({ role: 'assistant', content });

describe('context editing of the Anthropic server', () => {
  let server: AnthropicServer;
  let client: Anthropic;
  beforeAll(async () => {
    server = await AnthropicServer.start({ bytesPerToken: 0.1 }); // Makes large prompts small.
    client = anthropicClient(server.url);
  });
  afterAll(() => server.close());
  beforeEach(() => server.forget());
  const codeOf = (promise: PromiseLike<unknown>): Promise<unknown> =>
    Promise.resolve(promise).then(
      () => undefined,
      (error: unknown) => Object(error).errorCode ?? String(Object(error).apiMessage ?? error),
    );

  describe('compaction at a threshold', () => {
    const messages = [user('long '.repeat(1_200)), assistant('Yes.'), user('Go on')];
    const edit: Anthropic.Beta.BetaCompact20260112Edit = {
      ...{ type: 'compact_20260112', trigger: { type: 'input_tokens', value: 50_000 } },
    };
    const compacting: Beta = {
      ...{ ...asked, messages, betas: ['compact-2026-01-12'] },
      context_management: { edits: [edit] },
    };

    it.each(['whole', 'streamed'])(
      'puts a compaction block before the answer, %s, and bills both passes',
      async (how) => {
        server.reply({ ...answer('Onwards.'), compaction: 'What was said.' });
        const { messages: api } = client.beta;
        const message =
          how === 'whole' ? await api.create(compacting) : await api.stream(compacting).finalMessage();
        expect(message.content).toMatchObject([
          { type: 'compaction', content: 'What was said.', encrypted_content: expect.any(String) },
          { type: 'text', text: 'Onwards.' },
        ]);
        expect(message.context_management).toEqual({ applied_edits: [] });
        const { iterations, input_tokens: after } = message.usage;
        expect(iterations).toMatchObject([{ type: 'compaction' }, { type: 'message', input_tokens: after }]);
        expect(iterations?.[0]?.input_tokens).toBeGreaterThan(50_000);
        expect(after).toBeLessThan(5_000);
      },
    );

    it('streams the input size before it', async () => {
      server.reply(answer('Onwards.'));
      for await (const event of await client.beta.messages.create({ ...compacting, stream: true }))
        if (event.type === 'message_start') expect(event.message.usage.input_tokens).toBeGreaterThan(50_000);
    });

    it('excludes the messages before its block from later requests', async () => {
      server.reply({ ...answer(thinking('Hm.'), 'Onwards.'), compaction: 'What was said.' });
      const { content } = await client.beta.messages.create(compacting);
      const next = [...messages, assistant(content), user('And now?')];
      const { usage } = await client.beta.messages.create({ ...compacting, messages: next });
      expect(usage.iterations ?? null).toBeNull();
      expect(usage.input_tokens).toBeLessThan(10_000);
    });

    it('pauses on request, and leaves the prompt unchanged if it fails', async () => {
      const pausing = { edits: [{ ...edit, pause_after_compaction: true }] };
      server.reply(answer('In short.'), { ...answer('Onwards.'), compaction: null });
      const paused = await client.beta.messages.create({ ...compacting, context_management: pausing });
      expect(paused).toMatchObject({ stop_reason: 'compaction', content: [{ content: 'In short.' }] });
      const failed = await client.beta.messages.create(compacting);
      expect(failed.content).toMatchObject([{ content: null }, { text: 'Onwards.' }]);
      expect(failed.usage.input_tokens).toBeGreaterThan(50_000);
    });

    it('rejects a trigger below the minimum, and an edited block', async () => {
      const low = { edits: [{ ...edit, trigger: { type: 'input_tokens' as const, value: 10 } }] };
      expect(await codeOf(client.beta.messages.create({ ...compacting, context_management: low }))).toContain(
        '50000',
      );
      server.reply({ ...answer('Onwards.'), compaction: 'What was said.' });
      const { content } = await client.beta.messages.create(compacting);
      const edited = content.map((one) => (one.type === 'compaction' ? { ...one, content: 'Else.' } : one));
      const next = [...messages, assistant(edited), user('x')];
      const sent = client.beta.messages.create({ ...compacting, messages: next });
      expect(await codeOf(sent)).toBe('compaction_content_mismatch');
    });
  });

  describe('compaction on demand', () => {
    const betas: Anthropic.Beta.AnthropicBeta[] = ['compact-2026-09-04'];
    const messages = [user('Hello'), assistant('Yes.'), user('Go on')];
    const demand: Beta = { ...asked, messages, betas, compaction: { type: 'summarize' } };
    const blockOf = async () => {
      server.reply(answer('In short.'));
      const [block] = (await client.beta.messages.create(demand)).content;
      if (block?.type !== 'compaction') throw new Error('no block');
      return block;
    };
    const send = (all: readonly Message[]) =>
      client.beta.messages.create({ ...asked, betas, messages: [...all] });

    it.each(['whole', 'streamed'])('returns only the signed block, %s', async (how) => {
      server.reply(answer('In short.'));
      const { messages: api } = client.beta;
      const message = how === 'whole' ? await api.create(demand) : await api.stream(demand).finalMessage();
      expect(message.stop_reason).toBe('compaction');
      expect(message.content).toMatchObject([{ type: 'compaction', content: 'In short.' }]);
      expect(message.content[0]).toHaveProperty('signature', expect.stringMatching(/.{40}/));
      expect(message.usage).toMatchObject({
        input_tokens: 0,
        output_tokens: 0,
        iterations: [{ type: 'compaction' }],
      });
    });

    it('is accepted back as the first block, and compacted again', async () => {
      const block = await blockOf();
      expect(await codeOf(send([assistant([block]), user('And?')]))).toBeUndefined();
      server.reply(answer('Shorter.'));
      const again = { ...demand, messages: [assistant([block]), user('And?')] };
      expect((await client.beta.messages.create(again)).content).toMatchObject([{ content: 'Shorter.' }]);
    });

    it('keeps the thinking of a retained tail readable', async () => {
      server.reply(answer(thinking('Hm.'), 'Kept.'));
      const { content } = await send(messages);
      const tail = [assistant(content), user('And?')];
      expect(await codeOf(send([...messages, ...tail]))).toBeUndefined();
      const block = await blockOf();
      expect(await codeOf(send([user([block]), ...tail]))).toBeUndefined();
      expect(await codeOf(send([user('In short.'), ...tail]))).toContain('bound to a different conversation');
    });

    it('is rejected with a code for the reason', async () => {
      const block = await blockOf();
      const last = user('And?');
      expect(await codeOf(send([user('x'), assistant([block]), last]))).toBe('compaction_block_misplaced');
      expect(await codeOf(send([assistant([block, block]), last]))).toBe('compaction_block_ambiguous');
      expect(await codeOf(send([assistant([{ ...block, content: 'Else' }]), last]))).toBe(
        'compaction_content_mismatch',
      );
      expect(await codeOf(send([assistant([{ ...block, signature: 'x.y' }]), last]))).toBe(
        'compaction_signature_invalid',
      );
      const open = [user('x'), assistant([{ type: 'tool_use', id: 't1', name: 'read', input: {} }])];
      expect(await codeOf(client.beta.messages.create({ ...demand, messages: open }))).toBe(
        'compaction_incomplete_turn',
      );
      const only = { ...demand, messages: [assistant([block])] };
      expect(await codeOf(client.beta.messages.create(only))).toBe('compaction_nothing_to_summarize');
      expect(await codeOf(client.beta.messages.create({ ...demand, stop_sequences: ['x'] }))).toContain(
        'stop_sequences',
      );
    });

    it('is billed and empty if the model is cut off or calls a tool', async () => {
      server.reply({ ...answer('In sh'), stop: 'max-tokens' }, answer(call('read')), fail('overloaded'));
      expect(await client.beta.messages.create(demand)).toMatchObject({
        content: [],
        stop_reason: 'max_tokens',
      });
      expect(await client.beta.messages.create(demand)).toMatchObject({
        content: [],
        stop_reason: 'tool_use',
      });
      expect(await codeOf(client.beta.messages.create(demand))).toContain('Overloaded');
    });
  });

  it('context editing clears tool results and thinking, reports it, and counts the rest', async () => {
    server.reply(answer(thinking('Long '.repeat(20)), call('read', {}, 't1')));
    const first = await client.beta.messages.create({ ...asked, messages: [user('x')] });
    const read = (id: string) =>
      user([{ type: 'tool_result', tool_use_id: id, content: 'data '.repeat(400) }]);
    server.reply(answer(thinking('More.'), call('read', {}, 't2')));
    const messages = [user('x'), assistant(first.content), read('t1')];
    const second = await client.beta.messages.create({ ...asked, messages });
    const all = [...messages, assistant(second.content), read('t2')];
    const context_management: Anthropic.Beta.BetaContextManagementConfig = {
      edits: [
        { type: 'clear_thinking_20251015', keep: { type: 'thinking_turns', value: 1 } },
        {
          ...{ type: 'clear_tool_uses_20250919', keep: { type: 'tool_uses', value: 1 } },
          trigger: { type: 'tool_uses', value: 1 },
        },
      ],
    };
    const betas: Anthropic.Beta.AnthropicBeta[] = ['context-management-2025-06-27'];
    const sent = { ...asked, messages: all, betas, context_management };
    const count = await client.beta.messages.countTokens({
      model: MODEL,
      messages: all,
      betas,
      context_management,
    });
    const message = await client.beta.messages.create(sent);
    const [thoughts, results] = message.context_management?.applied_edits ?? [];
    expect(thoughts).toMatchObject({ type: 'clear_thinking_20251015', cleared_thinking_turns: 1 });
    expect(results).toMatchObject({ type: 'clear_tool_uses_20250919', cleared_tool_uses: 1 });
    const cleared = (thoughts?.cleared_input_tokens ?? 0) + (results?.cleared_input_tokens ?? 0);
    expect(cleared).toBeGreaterThan(10_000);
    expect(message.usage.input_tokens).toBe(count.input_tokens);
    expect(count.context_management?.original_input_tokens).toBe(count.input_tokens + cleared);
  });

  it('an answer stops when the window is full', async () => {
    const small = await AnthropicServer.start({ windows: { [MODEL]: 1_000 }, script: [answer(words(500))] });
    const sent = { ...asked, messages: [{ role: 'user' as const, content: words(800) }] };
    const { stop_reason: stop, content } = await anthropicClient(small.url).messages.create(sent);
    expect(stop).toBe('model_context_window_exceeded');
    expect(JSON.stringify(content).length).toBeLessThan(words(200).length);
    await small.close();
  });
});
