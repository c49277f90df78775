import type Anthropic from '@anthropic-ai/sdk';
import type { JsonObject } from '@app/kernel';
import { AnthropicServer } from '@app/testing/providers';
import { anthropicClient } from './support/anthropic.js';

const user = (...content: readonly (string | JsonObject)[]): JsonObject => said('user', content);
const assistant = (...content: readonly (string | JsonObject)[]): JsonObject => said('assistant', content);
const said = (role: string, content: readonly (string | JsonObject)[]): JsonObject => ({
  role,
  content: content.map((one) => (typeof one === 'string' ? { type: 'text', text: one } : one)),
});
const use = (id: string, more: JsonObject = {}): JsonObject => ({
  ...{ type: 'tool_use', id, name: 'read', input: {}, ...more },
});
const result = (id: string, more: JsonObject = {}): JsonObject => ({
  ...{ type: 'tool_result', tool_use_id: id, content: 'done', ...more },
});
const mark: JsonObject = { cache_control: { type: 'ephemeral' } };
const marked = (text: string, ttl?: string): JsonObject => ({
  ...{ type: 'text', text, cache_control: { type: 'ephemeral', ...(ttl !== undefined && { ttl }) } },
});
const tool = (name: string): JsonObject => ({ name, input_schema: { type: 'object' } });
const messages = (...all: readonly JsonObject[]): JsonObject => ({ messages: all });
const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aGk=' } };
const thought = { type: 'thinking', thinking: 'Hm.', signature: 'nobody' };

describe('validation of the Anthropic server', () => {
  let server: AnthropicServer;
  let client: Anthropic;
  beforeAll(async () => {
    server = await AnthropicServer.start({
      windows: { 'claude-haiku-4-5': 5_000, 'claude-opus-4-1': 5_000 },
    });
    client = anthropicClient(server.url);
  });
  afterAll(() => server.close());

  /** Returns the provider's error; `undefined` for an accepted request. */
  const answerTo = async (
    body: JsonObject,
    headers: Record<string, string> = {},
  ): Promise<string | undefined> => {
    const whole = { model: 'claude-opus-4-6', max_tokens: 100, messages: [user('Hello')], ...body };
    const error: unknown = await client.post('/v1/messages', { body: whole, headers }).then(
      () => undefined,
      (refused: unknown) => refused,
    );
    return error === undefined ? undefined : `${Object(error).status} ${Object(error).apiMessage}`;
  };

  const broken: readonly (readonly [string, JsonObject, string])[] = [
    ['no messages', messages(), 'messages: at least one message is required'],
    ['a message without content', messages(user()), 'messages.0: all messages must have non-empty content'],
    ['an empty text', messages(user('')), 'messages: text content blocks must be non-empty'],
    ['a blank text', messages(user(' \n')), 'messages: text content blocks must contain non-whitespace text'],
    [
      "the assistant's message first",
      messages(assistant('Hi'), user('x')),
      'first message must use the "user" role',
    ],
    ['an unknown role', messages({ role: 'tool', content: 'x' }), 'messages.0.role: Input should be'],
    [
      'an unanswered call',
      messages(user('x'), assistant(use('t1')), user('y')),
      'messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: t1',
    ],
    [
      'one of two calls unanswered',
      messages(user('x'), assistant(use('t1'), use('t2')), user(result('t2'))),
      'immediately after: t1.',
    ],
    [
      'a result after text',
      messages(user('x'), assistant(use('t1')), user('y', result('t1'))),
      '`tool_use` ids were found without `tool_result` blocks immediately after: t1',
    ],
    [
      'a call in the last message',
      messages(user('x'), assistant(use('t1'))),
      '`tool_use` ids were found without',
    ],
    [
      'a result without its call',
      messages(user(result('t9'))),
      'messages.0.content.0: unexpected `tool_use_id` found in `tool_result` blocks: t9.',
    ],
    [
      'two results for one call',
      messages(user('x'), assistant(use('t1')), user(result('t1'), result('t1'))),
      'each tool_use must have a single result',
    ],
    [
      'one id for two calls',
      messages(user('x'), assistant(use('t1'), use('t1')), user(result('t1'))),
      '`tool_use` ids must be unique',
    ],
    [
      'an id with a dot',
      messages(user('x'), assistant(use('t.1')), user(result('t.1'))),
      "messages.1.content.0.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'",
    ],
    [
      'an input that is not an object',
      messages(user('x'), assistant(use('t1', { input: 'a' })), user(result('t1'))),
      'messages.1.content.0.tool_use.input: Input should be a valid dictionary',
    ],
    [
      'an image in an error',
      messages(user('x'), assistant(use('t1')), user(result('t1', { is_error: true, content: [image] }))),
      'all content must be type "text" if `is_error` is true',
    ],
    [
      'a final assistant message with text',
      messages(user('x'), assistant('I')),
      'does not support assistant message prefill',
    ],
    [
      'thinking at the end of a turn',
      messages(user('x'), assistant('I', thought), user('y')),
      'messages.1: The final block in an assistant message cannot be `thinking`.',
    ],
    [
      'foreign thinking',
      messages(user('x'), assistant(thought, 'I'), user('y')),
      'blocks in the latest assistant message cannot be modified',
    ],
    [
      'foreign thinking in an earlier turn',
      messages(user('x'), assistant(thought, 'I'), user('y'), assistant('Z'), user('z')),
      'messages.1.content.0: Invalid `signature` in `thinking` block',
    ],
    [
      'a user message with thinking',
      messages(user(thought, 'x')),
      '`thinking` blocks are not permitted in user messages',
    ],
    ['an unknown block', messages(user({ type: 'music' })), "Input tag 'music' found using 'type'"],
    [
      'an extra member of a block',
      messages(user({ type: 'text', text: 'x', note: 1 })),
      'messages.0.content.0.text.note: Extra inputs are not permitted',
    ],
    ['an extra member of a message', messages({ ...user('x'), id: 'm1' }), 'messages.0.id: Extra inputs'],
    ['an extra member', { verbosity: 'low' }, 'verbosity: Extra inputs are not permitted'],
    ['a beta feature that is not enabled', { compaction: { type: 'summarize' } }, 'compaction: Extra inputs'],
    ['a missing max_tokens', { max_tokens: undefined }, 'max_tokens: Field required'],
    [
      'a max_tokens above the limit',
      { max_tokens: 128_001 },
      'max_tokens: 128001 > 128000, which is the maximum allowed',
    ],
    [
      'five cache marks',
      {
        system: [marked('a'), marked('b')],
        messages: [user(marked('c'), marked('d'), marked('e'))],
      },
      'A maximum of 4 blocks with cache_control may be provided. Found 5.',
    ],
    [
      'a long-lived mark after a short-lived one',
      { system: [marked('a')], messages: [user(marked('b', '1h'))] },
      "a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block",
    ],
    [
      'a mark on thinking',
      messages(user('x'), assistant({ ...thought, ...mark }, 'I'), user('y')),
      'Extra inputs',
    ],
    [
      'two tools with the same name',
      { tools: [tool('read'), tool('read')] },
      'tools: Tool names must be unique.',
    ],
    ['a tool without a schema', { tools: [{ name: 'read' }] }, 'tools.0.custom.input_schema: Field required'],
    [
      'a tool choice without tools',
      { tool_choice: { type: 'auto' } },
      'may only be specified while providing tools',
    ],
    [
      'a thinking budget below the minimum',
      { thinking: { type: 'enabled', budget_tokens: 10 } },
      'budget_tokens: Input should be greater than or equal to 1024',
    ],
    [
      'a turn whose thinking is missing while thinking is enabled',
      {
        thinking: { type: 'enabled', budget_tokens: 1_024 },
        max_tokens: 2_000,
        messages: [user('x'), assistant(use('t1')), user(result('t1'))],
      },
      'messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `tool_use`',
    ],
    ['a thread', { thread: { type: 'create' } }, 'message threads are not available'],
    ['sampling under the new version', { temperature: 0 }, 'temperature: Extra inputs are not permitted'],
    [
      'a system message first',
      messages({ role: 'system', content: 'x' }, user('y')),
      'Unexpected role "system"',
    ],
  ];
  it.each(broken)('rejects %s', async (_, body, message) => {
    const refusal = await answerTo(body);
    expect(refusal).toMatch(/^400 /);
    expect(refusal).toContain(message);
  });

  const ofModels: readonly (readonly [string, string, JsonObject, string])[] = [
    [
      'a forced tool',
      'claude-opus-5-5',
      { tools: [tool('read')], tool_choice: { type: 'any' } },
      'tool_choice',
    ],
    ['disabled thinking', 'claude-fable-5-1', { thinking: { type: 'disabled' } }, 'is not supported'],
    [
      'thinking of the old kind',
      'claude-opus-4-7',
      { thinking: { type: 'enabled', budget_tokens: 2_000 } },
      'not supp',
    ],
    ['thinking of the new kind', 'claude-haiku-4-5', { thinking: { type: 'adaptive' } }, 'is not supported'],
    [
      'an input above the window',
      'claude-haiku-4-5',
      messages(user('x'.repeat(20_001))),
      'prompt is too long: 5012 tokens > 5000 max',
    ],
    [
      'input and output above the window',
      'claude-opus-4-1',
      { max_tokens: 4_990, messages: [user('x'.repeat(40))] },
      'input length and `max_tokens` exceed context limit: 22 + 4990 > 5000',
    ],
    [
      'a system message after the assistant',
      'claude-opus-5',
      messages(user('x'), assistant('I'), { role: 'system', content: 'x' }, assistant('y'), user('z')),
      'a `system` message must come after a user message',
    ],
  ];
  it.each(ofModels)('rejects %s for %s', async (_, model, body, message) => {
    const refusal = await answerTo({ ...body, model });
    expect(refusal).toMatch(/^400 /);
    expect(refusal).toContain(message);
  });

  it('rejects an unknown model', async () => {
    expect(await answerTo({ model: 'claude-9' })).toBe('404 model: claude-9');
  });

  it('rejects a body above the size limit', async () => {
    const small = await AnthropicServer.start({ bodyMax: 1_000 });
    const body = {
      model: 'claude-opus-4-6',
      max_tokens: 1,
      messages: [{ role: 'user' as const, content: 'x'.repeat(1_000) }],
    };
    await expect(anthropicClient(small.url).messages.create(body)).rejects.toMatchObject({ status: 413 });
    await small.close();
  });

  it('does not consume the script for rejected requests', async () => {
    const one = await AnthropicServer.start({ script: [] });
    const refused = await anthropicClient(one.url)
      .post('/v1/messages', { body: { model: 'claude-opus-4-6', max_tokens: 1, messages: [] } })
      .catch((error: unknown) => Object(error).status);
    expect(refused).toBe(400);
    await one.close();
  });

  const taken: readonly (readonly [string, JsonObject])[] = [
    [
      'consecutive messages of one role',
      messages(user('x'), user('y'), assistant('I'), assistant('J'), user('z')),
    ],
    [
      'results separated from the following text',
      messages(user('x'), assistant(use('t1')), user(result('t1')), user('y')),
    ],
    ['an empty result', messages(user('x'), assistant(use('t1')), user(result('t1', { content: '' })))],
    ['a prefill of an old model', { model: 'claude-haiku-4-5', ...messages(user('x'), assistant('I')) }],
    ['a forced tool of an old model', { tools: [tool('read')], tool_choice: { type: 'tool', name: 'read' } }],
    [
      'a system message in the middle',
      {
        model: 'claude-opus-5-5',
        ...messages(user('x'), { role: 'system', content: 'y' }, assistant('I'), user('z')),
      },
    ],
    [
      'foreign thinking in an earlier turn of a model that drops it',
      {
        model: 'claude-haiku-4-5',
        ...messages(user('x'), assistant(thought, 'I'), user('y')),
      },
    ],
  ];
  it.each(taken)('accepts %s', async (_, body) => {
    expect(await answerTo(body)).toBeUndefined();
  });

  it('accepts input and output above the window for an older model, which stops at its window', async () => {
    const body = { model: 'claude-opus-4-1', max_tokens: 4_990 };
    expect(await answerTo(body)).toContain('exceed context limit');
    const headers = { 'anthropic-beta': 'model-context-window-exceeded-2025-08-26' };
    expect(await answerTo(body, headers)).toBeUndefined();
  });

  it('accepts sampling parameters under the old version', async () => {
    expect(await answerTo({ temperature: 0 }, { 'anthropic-version': '2023-06-01' })).toBeUndefined();
  });
});
