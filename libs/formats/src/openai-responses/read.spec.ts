import { linesOf, readTranscript } from '@app/testing';
import { wireOf } from '../wires/index.js';

const message = (role: string, type: string, text: string, more: object = {}) => ({
  type: 'message',
  role,
  content: [{ type, text }],
  ...more,
});
const reasoning = {
  id: 'rs_1',
  type: 'reasoning',
  summary: [{ type: 'summary_text', text: 'Hm.' }],
  encrypted_content: 'x',
};
const call = { id: 'fc_1', type: 'function_call', call_id: 'c1', name: 'read', arguments: '{ "path": "a" }' };
const output = {
  type: 'function_call_output',
  call_id: 'c1',
  output: [{ type: 'input_image', image_url: 'data:image/png;base64,QQ==' }],
};
const items = [
  { role: 'user', content: 'Read a.' },
  reasoning,
  message('assistant', 'output_text', 'I look.', { id: 'm1', phase: 'commentary' }),
  call,
  output,
  { id: 'cmp_1', type: 'compaction', encrypted_content: 'y' },
  message('assistant', 'output_text', 'Done.', { id: 'm2' }),
];
const shapes: readonly (readonly [string, string])[] = [
  ['a list', JSON.stringify(items, null, 2)],
  ['lines', linesOf(...items)],
  ['a request', JSON.stringify({ model: 'gpt-x', instructions: 'Be brief.', input: items })],
];

describe('items of OpenAI Responses', () => {
  it.each(shapes)('form one session and are written back unchanged: %s', async (_, content) => {
    const { format, sessions, messages, skipped } = await readTranscript(content);
    expect({ format, count: sessions.length, skipped }).toEqual({
      format: 'openai-responses',
      count: 1,
      skipped: [],
    });
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant']);
    expect(messages.flatMap((read) => wireOf('openai-responses').itemsOf(read))).toEqual(items);
  });

  it('have encrypted reasoning, calls, and images in their results', async () => {
    const { messages } = await readTranscript(linesOf(...items));
    expect(messages[1]?.blocks).toMatchObject([
      { type: 'thinking', thinking: 'Hm.', signature: JSON.stringify(reasoning) },
      { type: 'text', text: 'I look.' },
      { type: 'tool_use', id: 'c1', name: 'read', input: { path: 'a' } },
    ]);
    expect(messages[2]?.blocks).toMatchObject([{ type: 'tool_result', content: [{ type: 'image' }] }]);
  });

  it('of responses have model, usage and time of each response', async () => {
    const usage = { input_tokens: 10, input_tokens_details: { cached_tokens: 4 }, output_tokens: 2 };
    const response = {
      object: 'response',
      id: 'r',
      model: 'gpt-x',
      created_at: 1_700_000_000,
      output: items.slice(1, 4),
      usage,
    };
    const { sessions, messages } = await readTranscript(linesOf(response));
    expect(sessions).toMatchObject([{ model: 'gpt-x' }]);
    expect(messages).toMatchObject([
      {
        model: 'gpt-x',
        createdAt: '2023-11-14T22:13:20.000Z',
        usage: { inputTokens: 6, cacheReadTokens: 4, outputTokens: 2 },
      },
    ]);
  });

  it('have the prompt and tools of their request', async () => {
    const tools = [
      { type: 'function', name: 'read', parameters: { type: 'object' }, strict: true },
      { type: 'web_search' },
    ];
    const { sessions } = await readTranscript(
      JSON.stringify({ model: 'gpt-x', instructions: 'Be brief.', tools, input: items }),
    );
    expect(sessions).toMatchObject([
      {
        model: 'gpt-x',
        system: 'Be brief.',
        tools: [{ name: 'read', input_schema: { type: 'object' } }, { type: 'web_search' }],
      },
    ]);
  });

  it('are reported if they are invalid or duplicates', async () => {
    const { messages, skipped } = await readTranscript(
      linesOf(call, { type: 7 }, { role: 'user' }, call, output),
    );
    expect(messages).toHaveLength(2);
    expect(skipped).toEqual([2, 3, 4]);
  });
});

describe('an exchange with the Responses API', () => {
  const response = { object: 'response', model: 'gpt-x', output: [call] };
  const plain = { role: 'user', content: 'Go.' };

  // Holds rule 11.17.
  it.each([
    ['messages alone', { model: 'gpt-x', input: [plain] }, ['user']],
    ['a text input with tools', { model: 'gpt-x', input: 'Go.', tools: [] }, ['user']],
    ['a batch request', { custom_id: 'a', url: '/v1/responses', body: { input: 'Go.' } }, ['user']],
    ['a batch result', { custom_id: 'a', response: { body: response } }, ['assistant']],
    ['a logged pair', { request: { model: 'gpt-x', input: [plain] }, response }, ['user', 'assistant']],
    [
      'an input and an output',
      { input: [message('user', 'input_text', 'u')], output: response },
      ['user', 'assistant'],
    ],
  ])('is read from %s', async (_, record, roles) => {
    const { format, sessions, messages } = await readTranscript(linesOf(record, record));
    expect({ format, sessions: sessions.length }).toEqual({ format: 'openai-responses', sessions: 2 });
    expect(messages.map(({ role }) => role)).toEqual([...roles, ...roles]);
  });

  it('continues the session of the response that it names as previous', async () => {
    const said = (id: string, before: string | null, input: string) => ({
      ...{ id, object: 'response', model: 'gpt-x', previous_response_id: before, input },
      output: [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: id }] }],
    });
    const { sessions, messages } = await readTranscript(
      linesOf(said('r1', null, 'a'), said('r2', 'r1', 'b'), said('r3', 'r0', 'c')),
    );
    expect(sessions).toHaveLength(2);
    expect(messages.map(({ blocks }) => blocks[0]?.text)).toEqual(['a', 'r1', 'b', 'r2', 'c', 'r3']);
  });

  it.each([
    ['an embeddings request', { model: 'embed-x', input: 'Go.' }],
    ['a speech request', { model: 'tts-x', input: 'Go.', instructions: 'Calm.', voice: 'v' }],
  ])('is not detected in %s', async (_, record) => {
    await expect(readTranscript(linesOf(record))).rejects.toThrow('is in no known format');
  });
});
