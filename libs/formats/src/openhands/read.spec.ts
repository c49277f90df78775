import { linesOf, readTranscript } from '@app/testing';

const at = '2025-04-30T16:32:54.707474';
const action = (id: number, name: string, args: object, more: object = {}) => ({
  id,
  timestamp: at,
  source: 'agent',
  message: '',
  action: name,
  args,
  ...more,
});
const observed = (id: number, name: string, content: string, more: object = {}) => ({
  id,
  timestamp: at,
  source: 'environment',
  message: '',
  observation: name,
  content,
  extras: {},
  ...more,
});
const asked = (id: number, content: string) =>
  action(id, 'message', { content, image_urls: null }, { source: 'user' });
const responded = (id: string, ...calls: readonly string[]) => ({
  model_response: {
    id,
    model: 'llama',
    choices: [
      {
        message: {
          role: 'assistant',
          content: 'I look.',
          tool_calls: calls.map((call) => ({
            id: call,
            type: 'function',
            function: { name: 'run', arguments: '{"a":1}' },
          })),
        },
      },
    ],
    usage: { prompt_tokens: 10, completion_tokens: 3, prompt_tokens_details: { cached_tokens: 4 } },
  },
});
const metadata = (id: string, response: object) => ({
  tool_call_metadata: { function_name: 'run', tool_call_id: id, ...response },
});
const use = (id: string) => ({ type: 'tool_use', id, name: 'run', input: { a: 1 } });
const tool = { type: 'function', function: { name: 'run', parameters: { type: 'object' } } };

describe('OpenHands events', () => {
  it('yield prompt and tools of the session, and the calls of a response in one message', async () => {
    const both = responded('r', 'x', 'y');
    const history = [
      action(0, 'system', { content: 'Be brief.', tools: [tool] }),
      asked(1, 'Go.'),
      action(2, 'recall', { query: 'Go.' }, { source: 'user' }),
      action(3, 'run', { command: 'ls' }, metadata('x', both)),
      observed(4, 'run', 'a b', { cause: 3, ...metadata('x', both) }),
      action(5, 'run', { command: 'pwd' }, metadata('y', both)),
      observed(6, 'error', 'no', { cause: 5, ...metadata('y', both) }),
      action(7, 'finish', { thought: 'Done.' }, metadata('z', responded('s', 'z'))),
    ];
    const { format, sessions, messages, skipped } = await readTranscript(
      linesOf({ instance_id: 'i', history }, { history: [[asked(0, 'x'), observed(1, 'null', '')]] }),
    );
    expect(format).toBe('openhands');
    expect(sessions).toMatchObject([
      { model: 'llama', system: 'Be brief.', tools: [{ name: 'run', input_schema: { type: 'object' } }] },
      { id: expect.stringContaining('some-2') },
    ]);
    expect(skipped).toEqual([]);
    expect(messages.map(({ blocks }) => blocks)).toEqual([
      [{ type: 'text', text: 'Go.' }],
      [{ type: 'text', text: 'I look.' }, use('x'), use('y')],
      [{ type: 'tool_result', tool_use_id: 'x', content: 'a b' }],
      [{ type: 'tool_result', tool_use_id: 'y', content: 'no', is_error: true }],
      [{ type: 'text', text: 'Done.' }],
      [{ type: 'text', text: 'x' }],
    ]);
    expect(messages[1]).toMatchObject({
      id: 'event-3',
      createdAt: '2025-04-30T16:32:54.707Z',
      usage: { model: 'llama', inputTokens: 6, cacheReadTokens: 4, outputTokens: 3 },
    });
  });

  it('without a recorded response yield one call each, answered by their observation', async () => {
    const events = [
      asked(1, 'Go.'),
      action(2, 'run', { command: 'ls', thought: 'Hm.' }),
      observed(3, 'run', 'a', { cause: 2 }),
      asked(1, 'Go.'),
    ];
    const { messages, skipped } = await readTranscript(JSON.stringify(events));
    expect(messages.slice(1).map(({ blocks }) => blocks)).toEqual([
      [
        { type: 'text', text: 'Hm.' },
        { type: 'tool_use', id: 'event-2', name: 'run', input: { command: 'ls' } },
      ],
      [{ type: 'tool_result', tool_use_id: 'event-2', content: 'a' }],
    ]);
    expect(skipped).toEqual([1]);
  });

  it('yield environment information as text that is not the user’s', async () => {
    const recalled = observed(2, 'recall', '', {
      extras: { date: '2025-04-30', repo_instructions: 'Be brief.' },
    });
    const { messages } = await readTranscript(JSON.stringify([asked(1, 'Go.'), recalled]));
    expect(messages.map(({ role, blocks }) => [role, blocks])).toEqual([
      ['user', [{ type: 'text', text: 'Go.' }]],
      [
        'user',
        [{ type: 'text', text: '<environment_context>\nBe brief.\n2025-04-30\n</environment_context>' }],
      ],
    ]);
  });

  it('of a delegated agent form a child session', async () => {
    const { sessions, items } = await readTranscript(
      linesOf(
        asked(1, 'Go.'),
        action(2, 'delegate', { agent: 'B' }),
        asked(3, 'Do.'),
        observed(4, 'delegate', 'done', { cause: 2 }),
        asked(5, 'And?'),
      ),
    );
    expect(sessions.map(({ parentId }) => parentId)).toEqual([undefined, sessions[0]?.id]);
    const of = items.flatMap((item) => (item.kind === 'message' ? [item.sessionId === sessions[1]?.id] : []));
    expect(of).toEqual([false, false, true, false, false]);
  });

  it('yield condensations as compactions', async () => {
    const condense = (id: number, args: object) => action(id, 'condensation', args);
    const { items } = await readTranscript(
      linesOf(
        ...[1, 2, 3, 4].map((id) => asked(id, `m${id}`)),
        condense(5, { forgotten_event_ids: [1, 2], summary: 'so far', summary_offset: 0 }),
        asked(6, 'm6'),
        condense(7, { forgotten_events_start_id: 4, forgotten_events_end_id: 5 }),
        condense(8, { forgotten_event_ids: [3, 6] }),
      ),
    );
    const compactions = items.flatMap((item) => (item.kind === 'compaction' ? [item.compaction] : []));
    const words = (text: string) => ({ role: 'user', blocks: [{ type: 'text', text }] });
    expect(compactions).toMatchObject([
      { id: 'condensation-5', summary: 'so far', retained: { kind: 'from', messageId: 'event-3' } },
      { retained: { kind: 'listed', messages: [words('m3'), words('m6')] } },
      { retained: { kind: 'none' } },
    ]);
  });
});

describe('OpenHands SDK events', () => {
  const event = (kind: string, id: string, more: object) => ({
    kind,
    id,
    timestamp: at,
    source: 'agent',
    ...more,
  });
  const call = (id: string) => ({
    tool_name: 'run',
    tool_call_id: id,
    tool_call: { id, name: 'run', arguments: '{"a":1}' },
  });

  it('keep reasoning signatures, and join the calls of a response', async () => {
    const thinking = { type: 'thinking', thinking: 'Hm.', signature: 's' };
    const { sessions, messages, items } = await readTranscript(
      linesOf(
        event('SystemPromptEvent', 'p', {
          system_prompt: { type: 'text', text: 'Be brief.' },
          tools: [tool],
        }),
        event('MessageEvent', 'u', {
          source: 'user',
          llm_message: {
            role: 'user',
            content: [
              { type: 'text', text: 'Go.' },
              { type: 'image', image_urls: ['data:image/png;base64,QQ=='] },
            ],
          },
        }),
        event('ActionEvent', 'a', {
          ...call('x'),
          thought: [{ type: 'text', text: 'I look.' }],
          thinking_blocks: [thinking],
          llm_response_id: 'r',
        }),
        event('ActionEvent', 'b', { ...call('y'), thought: [], llm_response_id: 'r' }),
        event('ObservationEvent', 'c', {
          ...call('x'),
          observation: { content: [{ type: 'text', text: 'out' }], is_error: false },
        }),
        event('AgentErrorEvent', 'd', { ...call('y'), error: 'no' }),
        event('Condensation', 'e', {
          forgotten_event_ids: ['u', 'a', 'b', 'c'],
          summary: 'so far',
          llm_response_id: 'q',
        }),
      ),
    );
    expect(sessions[0]).toMatchObject({ system: 'Be brief.', tools: [{ name: 'run' }] });
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'QQ==' } };
    expect(messages.map(({ id, blocks }) => [id, blocks])).toEqual([
      ['u', [{ type: 'text', text: 'Go.' }, image]],
      ['a', [thinking, { type: 'text', text: 'I look.' }, use('x'), use('y')]],
      ['c', [{ type: 'tool_result', tool_use_id: 'x', content: 'out' }]],
      ['d', [{ type: 'tool_result', tool_use_id: 'y', content: 'no', is_error: true }]],
    ]);
    expect(items.at(-1)).toMatchObject({
      compaction: { summary: 'so far', retained: { kind: 'from', messageId: 'd' } },
    });
  });
});

it('yields repository, hosts and instructions for an OpenHands agent without secrets', async () => {
  const extras = {
    ...{ repo_name: 'r', runtime_hosts: { 'http://h': 8000 }, conversation_instructions: 'Ask first.' },
    ...{ custom_secrets_descriptions: { KEY: 'of a' }, microagent_knowledge: [{ content: 'b' }] },
  };
  const { messages } = await readTranscript(
    JSON.stringify([asked(1, 'Go.'), observed(2, 'recall', 'Added', { extras })]),
  );
  expect(messages[1]?.blocks).toEqual([
    {
      type: 'text',
      text: '<environment_context>\nr\nAsk first.\nhttp://h: 8000\nKEY: of a\nb\n</environment_context>',
    },
  ]);
});
