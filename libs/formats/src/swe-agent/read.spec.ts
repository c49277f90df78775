import { readTranscript } from '@app/testing';

const call = { id: 'c', type: 'function', function: { name: 'bash', arguments: '{"command":"ls"}' } };
const history = [
  { role: 'system', content: 'Be brief.', agent: 'main', message_type: 'system_prompt' },
  { role: 'user', content: 'Go.', agent: 'main' },
  {
    role: 'assistant',
    content: 'I look.',
    agent: 'main',
    tool_calls: [call],
    thinking_blocks: [{ type: 'thinking', thinking: 'Hm.', signature: 's' }],
  },
  { role: 'tool', content: 'a b', agent: 'main', tool_call_ids: ['c'] },
];
const step = { action: 'ls', observation: 'a b', response: 'I look.\nls', thought: 'I look.', state: {} };
const read = (document: object, options: object = {}) =>
  readTranscript(JSON.stringify(document), { name: 'a/i.traj', ...options });

describe('a trajectory of SWE-agent', () => {
  it('is read from its history, with the model of its settings', async () => {
    const replay = JSON.stringify({ agent: { model: { name: 'gpt-x' } } });
    const { format, sessions, messages } = await read({
      environment: 'e',
      trajectory: [step],
      history,
      info: {},
      replay_config: replay,
    });
    expect(format).toBe('swe-agent');
    expect(sessions).toMatchObject([{ id: expect.stringMatching(/^i-/), model: 'gpt-x' }]);
    expect(messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user']);
    expect(messages[2]?.blocks).toEqual([
      { type: 'thinking', thinking: 'Hm.', signature: 's' },
      { type: 'text', text: 'I look.' },
      { type: 'tool_use', id: 'c', name: 'bash', input: { command: 'ls' } },
    ]);
    expect(messages[3]?.blocks).toEqual([{ type: 'tool_result', tool_use_id: 'c', content: 'a b' }]);
  });

  it('is read from its steps if it has no history', async () => {
    const { messages } = await read({ trajectory: [step, step], info: {} });
    expect(messages.map(({ role, blocks }) => [role, blocks[0]?.text])).toEqual([
      ['assistant', 'I look.\nls'],
      ['user', 'a b'],
      ['assistant', 'I look.\nls'],
      ['user', 'a b'],
    ]);
  });

  it('has other agents as child sessions, and reports elements that are not messages', async () => {
    const helper = { role: 'assistant', content: 'Mine.', agent: 'helper' };
    const { sessions, skipped } = await read({
      trajectory: [step],
      history: [...history, helper, { role: 'user', content: null }],
    });
    expect(sessions[1]).toMatchObject({ id: `${sessions[0]?.id}.helper`, parentId: sessions[0]?.id });
    expect(skipped).toEqual([1]);
  });

  it('of mini-SWE-agent has usage and time of each response', async () => {
    const response = { model: 'gpt-x', usage: { prompt_tokens: 9, completion_tokens: 2 } };
    const messages = [
      { role: 'user', content: 'Go.' },
      { role: 'assistant', content: 'I look.', extra: { response, timestamp: 1_700_000_000.5 } },
      { role: 'exit', content: 'patch' },
    ];
    const mini = await read({ info: { model_stats: {} }, messages, trajectory_format: 'mini-swe-agent-1.1' });
    expect(mini).toMatchObject({ format: 'swe-agent', skipped: [], messages: [{}, {}] });
    expect(mini.messages[1]).toMatchObject({
      model: 'gpt-x',
      createdAt: '2023-11-14T22:13:20.500Z',
      usage: { inputTokens: 9, outputTokens: 2 },
    });
  });
});

describe('a trajectory without a history', () => {
  it('begins with the messages sent before its first step', async () => {
    const query = [
      { role: 'system', content: 'Be brief.', agent: 'primary' },
      { role: 'user', content: 'Go.', agent: 'primary' },
    ];
    const { sessions, messages } = await read({
      trajectory: [
        { ...step, query },
        { ...step, query },
      ],
    });
    expect(sessions).toHaveLength(1);
    expect(messages.map(({ role }) => role)).toEqual([
      'system',
      'user',
      'assistant',
      'user',
      'assistant',
      'user',
    ]);
  });

  it('is read from its tabular form', async () => {
    const turn = (role: string, text: string | null, prompt: string | null = null) => ({
      ...{ role, text, system_prompt: prompt, mask: false, cutoff_date: null },
    });
    const { format, sessions, messages } = await read({
      ...{ instance_id: 'i', model_name: 'llama' },
      trajectory: [turn('system', null, 'Be brief.'), turn('user', 'Go.'), turn('ai', 'ls')],
    });
    expect({ format, sessions }).toMatchObject({ format: 'swe-agent', sessions: [{ model: 'llama' }] });
    expect(messages.map(({ role, blocks }) => [role, blocks[0]?.text])).toEqual([
      ['system', 'Be brief.'],
      ['user', 'Go.'],
      ['assistant', 'ls'],
    ]);
  });
});

describe('a trajectory of mini-SWE-agent with OpenAI Responses', () => {
  it('has the items of a response in one message, and the results of its calls', async () => {
    const item = { type: 'reasoning', id: 'r', summary: [], encrypted_content: 'e' };
    const called = { type: 'function_call', call_id: 'c', name: 'bash', arguments: '{"command":"ls"}' };
    const response = {
      ...{ id: 'resp', object: 'response', model: 'gpt-x', output: [item, called] },
      usage: { input_tokens: 5, output_tokens: 2 },
      extra: { timestamp: 1_700_000_000 },
    };
    const { messages, skipped } = await read({
      trajectory_format: 'mini-swe-agent-1.1',
      messages: [
        ...history.slice(0, 2),
        response,
        { type: 'function_call_output', call_id: 'c', output: 'a b', extra: { returncode: 0 } },
      ],
    });
    expect(skipped).toEqual([]);
    expect(messages.slice(2)).toMatchObject([
      {
        ...{ role: 'assistant', model: 'gpt-x', usage: { inputTokens: 5, outputTokens: 2 } },
        createdAt: '2023-11-14T22:13:20.000Z',
        blocks: [
          { type: 'thinking', signature: JSON.stringify(item) },
          { type: 'tool_use', id: 'c', name: 'bash', input: { command: 'ls' } },
        ],
      },
      { role: 'user', blocks: [{ type: 'tool_result', tool_use_id: 'c', content: 'a b' }] },
    ]);
  });
});
