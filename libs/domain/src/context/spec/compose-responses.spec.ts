import { blockFrom, compose, type Message, manifestOf, type OpenSession } from '@app/domain';
import type { JsonObject } from '@app/kernel';
import { append, assistant, call, image, open, result, sessionOf, thinking, user } from '@app/testing';

const session = (...messages: readonly Message[]): OpenSession => sessionOf(open(), append(...messages));
const responses = (of: OpenSession) => compose(manifestOf(of), 'openai-responses');
const inputOf = (...messages: readonly Message[]) => {
  const { request, violations } = responses(session(...messages));
  expect(violations).toEqual([]);
  return request.input;
};
const block = (value: JsonObject) => {
  const made = blockFrom(value);
  if (!made) throw new Error('a block');
  return made;
};
const text = (words: string) => ({ type: 'text', text: words });
const reasoning = (encrypted: string) =>
  thinking(
    'hm',
    JSON.stringify({ type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: encrypted }),
  );
const custom = block({
  ...call('c1', 'apply_patch', { _raw: '*** Begin Patch' }),
  openai: { type: 'custom_tool_call', id: 'ctc_1', call_id: 'c1', name: 'apply_patch', input: 'old' },
});

describe('a request to the OpenAI Responses API', () => {
  it('has the system prompt as instructions, later system messages as developer messages, and `store: false`', () => {
    const of = sessionOf(
      open({ systemPrompt: 'Be brief.' }),
      append(user('u1', 'go'), {
        id: user('s').id,
        role: 'system',
        blocks: [block(text('Now in French.'))],
      }),
    );
    expect(responses(of).request).toMatchObject({
      instructions: 'Be brief.',
      store: false,
      input: [
        { role: 'user', content: 'go' },
        { role: 'developer', content: 'Now in French.' },
      ],
    });
  });

  it('answers calls by outputs that include their images, and marks a failed call', () => {
    expect(
      inputOf(
        user('u1', 'go'),
        assistant('a1', 'look', call('c1'), call('c2')),
        user(
          'r1',
          result('c1', [text('one'), image('QQ==')]),
          { ...result('c2', 'two'), is_error: true },
          'so?',
        ),
      ).slice(1),
    ).toEqual([
      { role: 'assistant', content: 'look' },
      ...['c1', 'c2'].map((call_id) => ({
        ...{ type: 'function_call', call_id, name: 'read_file', arguments: '{"path":"/src/a.ts"}' },
      })),
      {
        type: 'function_call_output',
        call_id: 'c1',
        output: [
          { type: 'input_text', text: 'one' },
          { type: 'input_image', image_url: 'data:image/png;base64,QQ==' },
        ],
      },
      { type: 'function_call_output', call_id: 'c2', output: '[error] two' },
      { role: 'user', content: 'so?' },
    ]);
  });

  it.each([
    [
      'a PDF',
      { type: 'base64', media_type: 'application/pdf', data: 'QQ==' },
      {
        ...{ type: 'input_file', filename: 'plan.pdf', file_data: 'data:application/pdf;base64,QQ==' },
      },
    ],
    [
      'a file elsewhere',
      { type: 'url', url: 'https://x.test/a.pdf' },
      {
        ...{ type: 'input_file', file_url: 'https://x.test/a.pdf' },
      },
    ],
    [
      'a text',
      { type: 'text', media_type: 'text/plain', data: 'All of it.' },
      {
        ...{ type: 'input_text', text: 'All of it.' },
      },
    ],
  ])('sends %s in an accepted form', (_, source, part) => {
    const document = block({ type: 'document', title: 'plan.pdf', source });
    expect(inputOf(user('u1', 'read', document))[0]).toEqual({
      role: 'user',
      content: [{ type: 'input_text', text: 'read' }, part],
    });
  });

  // Holds rule 11.16.
  it('returns encrypted reasoning by value before the item that it led to', () => {
    const of = session(user('u1', 'go'), assistant('a1', reasoning('gAAA'), 'so'));
    expect(responses(of).request.input.slice(1)).toEqual([
      { type: 'reasoning', summary: [], encrypted_content: 'gAAA' },
      { role: 'assistant', content: 'so' },
    ]);
  });

  it.each([
    ['is unsigned', assistant('a', thinking('hm'), 'so'), 'unsigned'],
    ['another provider signed', assistant('a', thinking('hm', 'sig'), 'so'), 'foreign-provider'],
    [
      'is not encrypted',
      assistant('a', thinking('hm', '{"type":"reasoning","id":"rs_1"}'), 'so'),
      'foreign-provider',
    ],
    [
      'a model of another provider wrote',
      { ...assistant('a', reasoning('gAAA'), 'so'), model: 'grok-4' },
      'foreign-provider',
    ],
    ['no item follows', assistant('a', 'so', reasoning('gAAA')), 'nothing-follows'],
  ])('omits reasoning that %s', (_, answer, reason) => {
    const { request, notes, violations } = responses(session(user('u', 'go'), answer));
    expect(request.input.slice(1)).toEqual([{ role: 'assistant', content: 'so' }]);
    expect(notes).toEqual([{ action: 'omitted-reasoning', messageId: 'a', reason }]);
    expect(violations).toEqual([]);
  });

  it('keeps the phase of assistant messages, and separates two phases', () => {
    const said = (words: string, phase: string) =>
      block({ ...text(words), openai: { type: 'message', role: 'assistant', phase, content: [] } });
    expect(
      inputOf(user('u', 'go'), assistant('a', said('one', 'commentary'), said('two', 'final_answer'))).slice(
        1,
      ),
    ).toEqual([
      { role: 'assistant', content: 'one', phase: 'commentary' },
      { role: 'assistant', content: 'two', phase: 'final_answer' },
    ]);
  });

  it('calls and declares a custom tool with text input, and returns its output in the same form', () => {
    const { request } = responses(
      session(user('u', 'go'), assistant('a', custom), user('r', result('c1', 'Done'))),
    );
    expect(request.input.slice(1)).toEqual([
      { type: 'custom_tool_call', call_id: 'c1', name: 'apply_patch', input: '*** Begin Patch' },
      { type: 'custom_tool_call_output', call_id: 'c1', output: 'Done' },
    ]);
    expect(request.tools).toEqual([{ type: 'custom', name: 'apply_patch' }]);
  });

  it('returns the provider’s own searches and compactions, and quotes those of other providers', () => {
    const search = block({ type: 'web_search_call', id: 'ws_1', status: 'completed' });
    const compaction = block({ type: 'compaction', id: 'cmp_1', encrypted_content: 'gAAA' });
    const foreign = block({ type: 'server_tool_use', id: 'srv_1', name: 'web_search', input: {} });
    const of = session(user('u', 'go'), assistant('a', compaction, search, foreign));
    expect(responses(of).request.input.slice(1)).toEqual([
      { type: 'compaction', encrypted_content: 'gAAA' },
      { type: 'web_search_call', status: 'completed' },
      { role: 'assistant', content: expect.stringContaining('[server_tool_use]') },
    ]);
    const { request } = compose(manifestOf(of), 'anthropic');
    expect(JSON.stringify(request)).toContain('[compaction]');
  });

  it.each([
    ['Anthropic’s', { name: 'read', description: 'Reads.', input_schema: { type: 'object' } }],
    [
      'chat’s',
      { type: 'function', function: { name: 'read', description: 'Reads.', parameters: { type: 'object' } } },
    ],
    [
      'its own',
      {
        type: 'function',
        name: 'read',
        description: 'Reads.',
        parameters: { type: 'object' },
        strict: false,
      },
    ],
  ])('declares a tool once if it was declared in %s form', (_, tool) => {
    const of = sessionOf(
      open({ tools: [tool] }),
      append(user('u', 'go'), assistant('a', call('c1', 'read'))),
    );
    expect(responses(of).request.tools).toEqual([
      {
        type: 'function',
        name: 'read',
        description: 'Reads.',
        parameters: { type: 'object' },
        strict: false,
      },
    ]);
    expect(compose(manifestOf(of), 'anthropic').request.tools).toEqual([
      { name: 'read', description: 'Reads.', input_schema: { type: 'object' } },
    ]);
    expect(compose(manifestOf(of), 'openai-chat').request.tools).toMatchObject([
      { type: 'function', function: { name: 'read', description: 'Reads.', parameters: { type: 'object' } } },
    ]);
  });

  it.each([
    ['gpt-5.4', true],
    ['openai/o4-mini', true],
    ['gpt-4.1', false],
    ['gpt-5-chat-latest', false],
    ['claude-opus-4-1', false],
  ])('requests encrypted reasoning from %s: %s', (model, asks) => {
    const { include } = responses(sessionOf(open({ model }), append(user('u', 'go')))).request;
    expect(include !== undefined).toBe(asks);
  });
});
