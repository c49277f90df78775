import { AnthropicServer, OpenAiServer } from '@app/testing/providers';
import { anthropicClient } from './support/anthropic.js';
import { openAiClient } from './support/openai.js';

const words = (tokens: number, word = 'word'): string => word.repeat(tokens);

describe('prompt cache of the Anthropic server', () => {
  let now = 0;
  let server: AnthropicServer;
  beforeEach(async () => {
    now = 0;
    server = await AnthropicServer.start({ now: () => now });
  });
  afterEach(() => server.close());

  type Said = { readonly role: 'user' | 'assistant'; readonly content: string };
  const history: readonly Said[] = [
    { role: 'user', content: words(1_500) },
    { role: 'assistant', content: 'Yes.' },
    { role: 'user', content: words(500) },
  ];
  /** Sends the messages with a cache mark on the last one, as agents do, and on the system prompt. */
  const send = async (said: readonly Said[], more: object = {}) => {
    const ephemeral = { type: 'ephemeral' as const };
    const { usage } = await anthropicClient(server.url).messages.create({
      ...{ model: 'claude-opus-5', max_tokens: 10, ...more },
      system: [{ type: 'text', text: words(1_000), cache_control: ephemeral }],
      messages: said.map(({ role, content }, at) => ({
        role,
        content: [
          {
            type: 'text' as const,
            text: content,
            ...(at === said.length - 1 && { cache_control: ephemeral }),
          },
        ],
      })),
    });
    const read = usage.cache_read_input_tokens ?? 0;
    const written = usage.cache_creation_input_tokens ?? 0;
    return { read, written, uncached: usage.input_tokens };
  };

  it('writes a prompt up to its last mark, and reads all of it the next time', async () => {
    const first = await send(history);
    expect(first).toMatchObject({ read: 0, uncached: 0 });
    expect(first.written).toBeGreaterThan(3_000);
    expect(await send(history)).toEqual({ read: first.written, written: 0, uncached: 0 });
  });

  it('serves a prompt that was extended', async () => {
    const { written } = await send(history);
    const longer = [
      ...history,
      { role: 'assistant' as const, content: 'Yes.' },
      { role: 'user' as const, content: 'And?' },
    ];
    expect(await send(longer)).toMatchObject({ read: written, uncached: 0 });
  });

  it('serves only the common prefix', async () => {
    await send(history);
    const [, ...rest] = history;
    const { read } = await send([{ role: 'user', content: words(1_500, 'else') }, ...rest]);
    expect(read).toBeGreaterThan(1_000);
    expect(read).toBeLessThan(1_100); // The system prompt only.
    expect((await send(history, { model: 'claude-opus-4-8' })).read).toBe(0);
    const tools = [{ name: 'read', input_schema: { type: 'object' as const } }];
    expect((await send(history, { tools })).read).toBe(0);
    expect((await send(history, { thinking: { type: 'disabled' } })).read).toBe(read);
  });

  it('expires after five minutes unless the entry is read', async () => {
    const { written } = await send(history);
    now = 299_000;
    expect((await send(history)).read).toBe(written);
    now = 598_000;
    expect((await send(history)).read).toBe(written);
    now = 898_001;
    expect((await send(history)).read).toBe(0);
  });

  it('caches nothing without a mark, and no prompt below the minimum size', async () => {
    const plain = { model: 'claude-opus-5', max_tokens: 10 };
    const client = anthropicClient(server.url);
    const sent = { ...plain, messages: [...history] };
    await client.messages.create(sent);
    expect((await client.messages.create(sent)).usage.cache_read_input_tokens).toBe(0);
    const small = {
      ...plain,
      cache_control: { type: 'ephemeral' as const },
      messages: [{ role: 'user' as const, content: 'x' }],
    };
    expect((await client.messages.create(small)).usage.cache_creation_input_tokens).toBe(0);
    const automatic = { ...sent, cache_control: { type: 'ephemeral' as const, ttl: '1h' as const } };
    const { usage } = await client.messages.create(automatic);
    expect(usage.cache_creation).toMatchObject({
      ephemeral_5m_input_tokens: 0,
      ephemeral_1h_input_tokens: expect.any(Number),
    });
    expect((await client.messages.create(automatic)).usage.input_tokens).toBe(0);
  });
});

describe('prompt cache of the OpenAI server', () => {
  let server: OpenAiServer;
  beforeEach(async () => {
    server = await OpenAiServer.start();
  });
  afterEach(() => server.close());
  const chat = async (...texts: readonly string[]) => {
    const { usage } = await openAiClient(server.url).chat.completions.create({
      ...{ model: 'gpt-5.4', messages: texts.map((content) => ({ role: 'user' as const, content })) },
    });
    return { prompt: usage?.prompt_tokens ?? 0, cached: usage?.prompt_tokens_details?.cached_tokens ?? 0 };
  };

  it('serves the common prefix from 1,024 tokens on in steps of 128', async () => {
    expect(await chat(words(2_000))).toMatchObject({ cached: 0 });
    const again = await chat(words(2_000));
    expect(again.cached).toBe(Math.floor(again.prompt / 128) * 128);
    expect((await chat(words(2_000), words(700))).cached).toBe(1_920);
    expect((await chat(words(1_100), words(900, 'else'))).cached).toBe(1_024);
    expect((await chat('else', words(2_000))).cached).toBe(0);
  });

  it('serves no shorter prefix', async () => {
    await chat(words(900));
    expect((await chat(words(900))).cached).toBe(0);
  });

  it('serves the Responses API, too', async () => {
    const client = openAiClient(server.url);
    const sent = { model: 'gpt-5.4', input: words(3_000), instructions: 'Be short.' };
    await client.responses.create(sent);
    const { usage } = await client.responses.create(sent);
    expect(usage?.input_tokens_details.cached_tokens).toBeGreaterThan(0.9 * (usage?.input_tokens ?? 0));
  });
});
