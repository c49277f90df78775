import type Anthropic from '@anthropic-ai/sdk';
import {
  AnthropicServer,
  answer,
  call,
  redactedThinking,
  refusal,
  thinking,
  verbatim,
} from '@app/testing/providers';
import { anthropicClient } from './support/anthropic.js';

const MODEL = 'claude-opus-4-6';
const asked = { model: MODEL, max_tokens: 100, messages: [{ role: 'user' as const, content: 'Hello' }] };

describe('answers of the Anthropic server', () => {
  let server: AnthropicServer;
  let client: Anthropic;
  beforeAll(async () => {
    server = await AnthropicServer.start();
    client = anthropicClient(server.url);
  });
  afterAll(() => server.close());
  beforeEach(() => server.forget());

  it('are complete messages', async () => {
    server.reply(answer('Grüße, 世界'));
    const message = await client.messages.create(asked);
    expect(message).toMatchObject({ role: 'assistant', model: MODEL, stop_reason: 'end_turn' });
    expect(message.content).toEqual([{ type: 'text', text: 'Grüße, 世界' }]);
    expect(message._request_id).toBe('req_0');
  });

  it('are the same messages when streamed', async () => {
    const parts = [
      'Two files to read. 世界🎉 '.repeat(9),
      call('read', { path: 'ä/"b"' }),
      call('list'),
    ] as const;
    server.reply(answer(thinking('Hm. '.repeat(30)), redactedThinking('no'), ...parts));
    const message = await client.messages.stream(asked).finalMessage();
    expect(message.stop_reason).toBe('tool_use');
    expect(message.content).toMatchObject([
      { type: 'thinking', thinking: 'Hm. '.repeat(30), signature: expect.stringMatching(/.{40}/) },
      { type: 'redacted_thinking', data: expect.stringMatching(/.{40}/) },
      { type: 'text', text: parts[0] },
      { type: 'tool_use', name: 'read', input: { path: 'ä/"b"' } },
      { type: 'tool_use', name: 'list', input: {} },
    ]);
    expect(message.usage).toMatchObject(server.requests[0]?.usage ?? {});
  });

  it('are streamed in the provider’s order of events', async () => {
    server.reply(answer(thinking('Hm.'), 'Yes.', call('list')));
    const types: string[] = [];
    for await (const event of await client.messages.create({ ...asked, stream: true }))
      types.push(event.type === 'content_block_delta' ? event.delta.type : event.type);
    expect(types).toEqual([
      'message_start',
      ...['content_block_start', 'thinking_delta', 'signature_delta', 'content_block_stop'],
      ...['content_block_start', 'text_delta', 'content_block_stop'],
      ...['content_block_start', 'input_json_delta', 'input_json_delta', 'content_block_stop'],
      ...['message_delta', 'message_stop'],
    ]);
  });

  it('support every stop reason', async () => {
    server.reply(
      { ...answer('cut'), stop: 'max-tokens' },
      { ...answer('full'), stop: 'window-full' },
      { ...answer('wait'), stop: 'pause' },
      answer(refusal('Not that.')),
      answer(),
    );
    const answers = [];
    for (let n = 0; n < 5; n += 1) answers.push(await client.messages.create(asked));
    expect(answers.map(({ stop_reason }) => stop_reason)).toEqual([
      ...['max_tokens', 'model_context_window_exceeded', 'pause_turn', 'refusal', 'end_turn'],
    ]);
    expect(answers[3]?.stop_details).toMatchObject({ explanation: 'Not that.' });
    expect(answers[4]?.content).toEqual([]);
  });

  it('contain any scripted block', async () => {
    const block = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'x' } };
    server.reply(answer(verbatim(block)));
    const message = await client.beta.messages.stream(asked).finalMessage();
    expect(message.content).toEqual([block]);
  });

  it('count the prompt, and list the models', async () => {
    const { input_tokens: count } = await client.messages.countTokens({
      model: MODEL,
      messages: asked.messages,
    });
    const { usage } = await client.messages.create(asked);
    expect(usage.input_tokens).toBe(count);
    expect(await client.models.retrieve(MODEL)).toMatchObject({ id: MODEL, max_input_tokens: 1_000_000 });
    const ids = [];
    for await (const { id } of client.models.list()) ids.push(id);
    expect(ids).toContain(MODEL);
  });
});
