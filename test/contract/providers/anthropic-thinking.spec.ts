import type Anthropic from '@anthropic-ai/sdk';
import { AnthropicServer, answer, call, redactedThinking, thinking } from '@app/testing/providers';
import { anthropicClient } from './support/anthropic.js';

type Message = Anthropic.Beta.BetaUserMessageParam | Anthropic.Beta.BetaAssistantMessageParam;
const BOUND = 'claude-opus-5-5';
const UNBOUND = 'claude-opus-4-8';
const CONTROLS = 'thinking-binding-controls-2026-08-01';
const hello: Message = { role: 'user', content: 'Hello' };

describe('thinking blocks in later requests', () => {
  let server: AnthropicServer;
  let client: Anthropic;
  beforeAll(async () => {
    server = await AnthropicServer.start();
    client = anthropicClient(server.url);
  });
  afterAll(() => server.close());

  type More = Partial<Omit<Anthropic.Beta.MessageCreateParamsNonStreaming, 'messages'>>;
  const create = (messages: readonly Message[], more: More = {}) =>
    client.beta.messages.create({ model: BOUND, max_tokens: 100, ...more, messages: [...messages] });
  const refusalOf = (messages: readonly Message[], more: More = {}): Promise<string | undefined> =>
    create(messages, more).then(
      () => undefined,
      (error: unknown) => String(Object(error).apiMessage),
    );
  /** Returns a conversation of two tool rounds with thinking. */
  const conversation = async (model = BOUND): Promise<readonly Message[]> => {
    server.reply(answer(thinking('First.'), call('read', {}, 't1')));
    const first = await create([hello], { model });
    const read: Message[] = [
      hello,
      { role: 'assistant', content: first.content },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: 'one' }] },
    ];
    server.reply(answer(thinking('Second.'), redactedThinking('Hidden.'), 'Done.'));
    const second = await create(read, { model });
    return [...read, { role: 'assistant', content: second.content }, { role: 'user', content: 'Go on' }];
  };
  const withoutThinking = (message: Message): Message => {
    if (message.role !== 'assistant' || typeof message.content === 'string') return message;
    const isThought = ({ type }: { type: string }) => type === 'thinking' || type === 'redacted_thinking';
    return { ...message, content: message.content.filter((block) => !isThought(block)) };
  };

  it('are accepted if no earlier content has changed', async () => {
    expect(await refusalOf(await conversation())).toBeUndefined();
  });

  it('are accepted if only a cache mark, the output limit or the effort has changed', async () => {
    const [, ...rest] = await conversation();
    const marked: Message = {
      ...{ role: 'user' },
      content: [{ type: 'text', text: 'Hello', cache_control: { type: 'ephemeral' } }],
    };
    expect(await refusalOf([marked, ...rest], { max_tokens: 200 })).toBeUndefined();
  });

  const bound = 'The block is bound to a different conversation.';
  it('are rejected after a changed message, system prompt or tool, or a missing message', async () => {
    const all = await conversation();
    const [, ...rest] = all;
    expect(await refusalOf([{ role: 'user', content: 'Bye' }, ...rest])).toContain(bound);
    expect(await refusalOf(all, { system: 'Be short.' })).toContain(bound);
    const tools = [{ name: 'read', input_schema: { type: 'object' as const } }];
    expect(await refusalOf(all, { tools })).toContain(bound);
    expect(await refusalOf([hello, ...all.slice(3)])).toContain(bound);
  });

  it('are accepted after a changed message by a model that does not bind them', async () => {
    const [, ...rest] = await conversation(UNBOUND);
    expect(await refusalOf([{ role: 'user', content: 'Bye' }, ...rest], { model: UNBOUND })).toBeUndefined();
  });

  it('may be omitted completely, or oldest first', async () => {
    const all = await conversation();
    expect(await refusalOf(all.map(withoutThinking))).toBeUndefined();
    expect(await refusalOf(all.map((one, at) => (at === 1 ? withoutThinking(one) : one)))).toBeUndefined();
  });

  it('may not be omitted in the middle', async () => {
    const all = await conversation();
    server.reply(answer(thinking('Third.'), 'Yes.'));
    const { content } = await create(all);
    const longer: readonly Message[] = [
      ...all,
      { role: 'assistant', content },
      { role: 'user', content: 'And?' },
    ];
    expect(await refusalOf(longer)).toBeUndefined();
    expect(await refusalOf(longer.map((one, at) => (at === 3 ? withoutThinking(one) : one)))).toContain(
      bound,
    );
  });

  it('may not be changed', async () => {
    const all = await conversation();
    const altered = all.map((one): Message => {
      if (one.role !== 'assistant' || typeof one.content === 'string') return one;
      const blocks = one.content.map((block) =>
        block.type === 'thinking' && block.thinking === 'Second.' ? { ...block, thinking: 'Other.' } : block,
      );
      return { ...one, content: blocks };
    });
    expect(await refusalOf(altered)).toContain('blocks in the latest assistant message cannot be modified');
  });

  it('are dropped with a notice if the request prefers that', async () => {
    const [, ...rest] = await conversation();
    const message = await create([{ role: 'user', content: 'Bye' }, ...rest], {
      thinking: { type: 'adaptive', block_binding: { prefix_mismatch_behavior: 'drop_block' } },
      betas: [CONTROLS],
    });
    expect(message.input_transformations).toEqual([
      { type: 'thinking_dropped', path: 'messages.1.content.0', reason: 'prefix_binding_mismatch' },
      { type: 'thinking_dropped', path: 'messages.3.content.0', reason: 'prefix_binding_mismatch' },
      { type: 'thinking_dropped', path: 'messages.3.content.1', reason: 'prefix_binding_mismatch' },
    ]);
  });

  it('are dropped if an older model reads a newer one’s thinking', async () => {
    const all = await conversation('claude-fable-5-2');
    const message = await create(all);
    expect(message.input_transformations?.map(({ reason }) => reason)).toEqual(
      Array.from({ length: 3 }, () => 'model_binding_mismatch'),
    );
  });

  it('of other origins are accepted by a server configured to trust them, except those of another such server', async () => {
    const trusting = await AnthropicServer.start({ trustsForeignThinking: true });
    const send = (messages: readonly Message[]) =>
      anthropicClient(trusting.url)
        .beta.messages.create({ model: BOUND, max_tokens: 100, messages: [...messages] })
        .then(
          ({ stop_reason }) => stop_reason,
          (error: unknown) => Object(error).status,
        );
    const foreign: Message = {
      ...{ role: 'assistant' },
      content: [
        { type: 'thinking', thinking: 'Hm.', signature: 'EqQBCkYIBRgCKkD' },
        { type: 'text', text: 'Yes.' },
      ],
    };
    expect(await send([hello, foreign, hello])).toBe('end_turn');
    expect(await send(await conversation())).toBe(400);
    await trusting.close();
  });
});
