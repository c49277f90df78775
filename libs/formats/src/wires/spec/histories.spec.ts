import { isJsonObject, type JsonObject } from '@app/kernel';
import { isRefusal, type WireName, wireOf } from '../index.js';

const read = (wire: WireName, body: JsonObject) => {
  const request = wireOf(wire).read({ model: 'm', ...body });
  if (isRefusal(request)) throw new Error(JSON.stringify(request.body));
  return request;
};
const essences = (wire: WireName, body: JsonObject) =>
  read(wire, body).messages.flatMap(({ says }) => says.flatMap((say) => say() ?? []));
const anthropic = (...content: readonly JsonObject[]) =>
  essences('anthropic', { messages: [{ role: 'assistant', content }] });
const text = { type: 'text', text: 'I look.\n' };
const use = { type: 'tool_use', id: 't1', name: 'read', input: { path: 'a', deep: true } };

describe('the content of a message', () => {
  it('ignores reasoning, cache marks, empty fields and key order', () => {
    const said = anthropic({ type: 'thinking', thinking: 'Hm.', signature: 's' }, text, use);
    const again = { ...use, input: { deep: true, path: 'a' }, cache_control: { type: 'ephemeral' } };
    expect(anthropic({ type: 'text', text: 'I look.', citations: null }, again)).toEqual(said);
    expect(anthropic({ type: 'text', text: 'I look not.' }, use)).not.toEqual(said);
    expect(anthropic(text, { ...use, input: { path: 'b' } })).not.toEqual(said);
  });

  it('covers provider-specific blocks, except their id and state', () => {
    const search = { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { query: 'a' } };
    const responses = (item: JsonObject) => essences('openai-responses', { input: [item] });
    expect(responses({ type: 'web_search_call', action: { query: 'a' } })).toEqual(responses(search));
    expect(responses({ ...search, action: { query: 'b' } })).not.toEqual(responses(search));
    const compaction = { type: 'compaction', content: 'Of the one.', encrypted_content: 'x' };
    expect(anthropic({ ...compaction, signature: null })).toEqual(anthropic(compaction));
    expect(anthropic({ ...compaction, content: 'Of another.' })).not.toEqual(anthropic(compaction));
  });

  it('covers the exact user text, in either form of text content', () => {
    const user = (content: string | readonly JsonObject[]) =>
      essences('anthropic', { messages: [{ role: 'user', content }] });
    expect(user([{ type: 'text', text: 'a b' }])).toEqual(user('a b'));
    expect(user('ab')).not.toEqual(user('a b'));
  });

  it('is equal for an answer as a stream, as a whole and in the next request', () => {
    const item = {
      id: 'i1',
      type: 'message',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: 'Yes.', annotations: [] }],
    };
    const reasoning = { id: 'rs_1', type: 'reasoning', summary: [], encrypted_content: 'x' };
    const response = {
      id: 'r1',
      status: 'completed',
      output: [reasoning, item],
      usage: { input_tokens: 9, output_tokens: 1 },
    };
    const whole = wireOf('openai-responses').answer(response);
    const told = wireOf('openai-responses').answerOf(
      `event: response.completed\ndata: ${JSON.stringify({ type: 'response.completed', response })}\n\n`,
    );
    expect(told).toEqual(whole);
    expect(essences('openai-responses', { input: [reasoning, item] })).toEqual(whole?.essences);
    expect(essences('openai-responses', { input: [{ role: 'assistant', content: 'Yes.' }] })).toEqual(
      whole?.essences,
    );
  });
});

describe('a request with context management by the provider', () => {
  const history = { messages: [{ role: 'user', content: 'Hello.' }] };
  const edits = (...list: readonly JsonObject[]) => ({ ...history, context_management: { edits: list } });
  const block = { type: 'compaction', content: 'Said.' };
  it.each<[WireName, JsonObject, boolean]>([
    ['anthropic', history, false],
    ['anthropic', edits(), false],
    ['anthropic', edits({ type: 'compact_20260112' }), true],
    ['anthropic', edits({ type: 'clear_tool_uses_20250919' }), true],
    ['anthropic', edits({ type: 'clear_thinking_20251015' }), true],
    ['anthropic', edits({ type: 'clear_thinking_20251015', keep: 'all' }), false],
    ['anthropic', edits({ type: 'clear_thinking_20251015', keep: { type: 'all' } }), false],
    ['anthropic', { ...history, compaction: { type: 'summarize' } }, true],
    ['anthropic', { messages: [{ role: 'assistant', content: [block] }] }, true],
    ['openai-chat', history, false],
    ['openai-responses', { input: 'Hello.', context_management: [] }, false],
    ['openai-responses', { input: 'Hello.', context_management: [{ type: 'compaction' }] }, true],
    ['openai-responses', { input: 'Hello.', truncation: 'auto' }, true],
    ['openai-responses', { input: 'Hello.', truncation: 'disabled' }, false],
    ['openai-responses', { input: [{ type: 'compaction_trigger' }] }, true],
    ['openai-responses', { input: [{ type: 'compaction', encrypted_content: 'x' }] }, true],
  ])('is detected: %s, %j', (wire, body, isManaged) => expect(read(wire, body).isManaged).toBe(isManaged));
});

describe('OpenAI items', () => {
  const call = { id: 'c1', type: 'function', function: { name: 'read', arguments: '{ "path" : "a" }' } };
  it.each<[string, JsonObject]>([
    ['an answer with calls', { role: 'assistant', content: null, refusal: null, tool_calls: [call] }],
    ['a result', { role: 'tool', tool_call_id: 'c1', content: 'read' }],
    [
      'parts',
      {
        role: 'user',
        name: 'me',
        content: [{ type: 'input_audio', input_audio: { data: 'x', format: 'wav' } }],
      },
    ],
    ['a text', { role: 'user', content: 'Hello.' }],
  ])('are restored from chat: %s', (_, item) => {
    const [message] = read('openai-chat', { messages: [item] }).messages;
    expect(message && wireOf('openai-chat').itemsOf(message)).toEqual([item]);
  });

  it('are restored from Responses', () => {
    const input = [
      { role: 'user', content: [{ type: 'input_text', text: 'Read a.' }] },
      {
        id: 'rs_1',
        type: 'reasoning',
        summary: [{ type: 'summary_text', text: 'Hm.' }],
        encrypted_content: 'x',
      },
      {
        id: 'm1',
        type: 'message',
        role: 'assistant',
        phase: 'commentary',
        status: 'completed',
        content: [{ type: 'output_text', text: 'I look.', annotations: [] }],
      },
      {
        id: 'fc_1',
        type: 'function_call',
        call_id: 'c1',
        name: 'read',
        arguments: '{ "path" : "a" }',
        status: 'completed',
      },
      { type: 'function_call_output', call_id: 'c1', output: 'read' },
      { id: 'ws_1', type: 'web_search_call', status: 'completed', action: { type: 'search', query: 'a' } },
      { id: 'cmp_1', type: 'compaction', encrypted_content: 'y' },
    ];
    const { messages } = read('openai-responses', { input });
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant']);
    expect(messages.flatMap((message) => wireOf('openai-responses').itemsOf(message))).toEqual(input);
  });

  it('are rejected in the provider’s form if they are invalid', () => {
    const refused = wireOf('openai-responses').read({ model: 'm', conversation: 'conv_1' });
    expect(isRefusal(refused) && isJsonObject(refused.body.error) && refused.body.error.code).toBe(
      'unsupported_parameter',
    );
  });
});
