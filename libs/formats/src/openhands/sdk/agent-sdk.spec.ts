import { linesOf, readTranscript } from '@app/testing';

let count = 0;
const event = (kind: string, more: object) => {
  count += 1;
  const at = { id: `e${count}`, timestamp: '2025-11-01T00:00:00.123456', source: 'agent' };
  return { ...at, kind, ...more };
};
const text = (words: string) => ({ type: 'text', text: words });
const asked = () =>
  event('MessageEvent', { source: 'user', llm_message: { role: 'user', content: [text('Go.')] } });
const observation = (id: string, found: object, more: object = {}) =>
  event('ObservationEvent', {
    ...{ source: 'environment', tool_name: 'f', tool_call_id: id, action_id: 'a' },
    observation: found,
    ...more,
  });

describe('events of the OpenHands agent SDK', () => {
  it('yield the model, and tools that are named by their classes only', async () => {
    const schema = { type: 'object', properties: {} };
    const { sessions, skipped } = await readTranscript(
      linesOf(
        event('ConversationStateUpdateEvent', {
          ...{ source: 'environment', key: 'full_state', value: { agent: { llm: { model: 'claude-x' } } } },
        }),
        event('SystemPromptEvent', {
          system_prompt: text('Be brief.'),
          tools: [
            { kind: 'FileEditorTool', description: 'edits', action_type: 'FileEditorAction' },
            { kind: 'MCPToolDefinition', mcp_tool: { name: 'fetch', inputSchema: schema } },
          ],
        }),
        event('HookExecutionEvent', { hook_event_type: 'x' }),
        event('LLMCompletionLogEvent', { filename: 'x' }),
        event('InterruptEvent', { source: 'user' }),
        asked(),
      ),
    );
    expect(skipped).toEqual([]);
    expect(sessions).toMatchObject([
      {
        ...{ model: 'claude-x', system: 'Be brief.' },
        tools: [
          { name: 'file_editor', description: 'edits', input_schema: { type: 'object' } },
          { name: 'fetch', input_schema: schema },
        ],
      },
    ]);
  });

  // Holds rule 11.19.
  it('yield observations as sent to the model', async () => {
    const png = 'iVBORw0KGgo=';
    const { messages } = await readTranscript(
      linesOf(
        asked(),
        observation('a', { content: [text('out')] }, { extended_content: [text('a rule')] }),
        observation('b', { output: '', error: 'No such file' }),
        observation('c', { output: 'state', error: null, screenshot_data: png }),
        observation('d', { output: 'out', error: false, exit_code: 0 }),
        observation('e', { kind: 'FinishObservation', message: 'Done.' }),
        observation('f', { output: '' }),
        observation('g', { kind: 'X', found: 1 }),
      ),
    );
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } };
    expect(messages.slice(1).map(({ blocks }) => blocks[0])).toEqual(
      [
        { tool_use_id: 'a', content: [text('out'), text('a rule')] },
        { tool_use_id: 'b', content: 'No such file', is_error: true },
        { tool_use_id: 'c', content: [text('state'), image] },
        { tool_use_id: 'd', content: 'out' },
        { tool_use_id: 'e', content: 'Done.' },
        { tool_use_id: 'f', content: '' },
        { tool_use_id: 'g', content: '{"kind":"X","found":1}' },
      ].map((result) => ({ type: 'tool_result', ...result })),
    );
  });

  it('yield calls of another agent once, each with its result', async () => {
    const call = (id: string, status: string, more: object) =>
      event('ACPToolCallEvent', {
        ...{ tool_call_id: id, title: 'Read a', tool_kind: 'read', status },
        ...more,
      });
    const { messages, skipped } = await readTranscript(
      linesOf(
        asked(),
        call('a', 'pending', { raw_input: {} }),
        call('b', 'in_progress', { raw_input: {} }),
        call('a', 'completed', {
          raw_input: { path: 'a' },
          content: [{ type: 'content', content: { type: 'text', text: 'text of a' } }],
        }),
        call('a', 'completed', { raw_output: 'again' }),
        call('c', 'failed', { raw_output: 'no' }),
      ),
    );
    expect(skipped).toEqual([]);
    expect(messages.slice(1).map(({ blocks }) => blocks[0])).toEqual([
      { type: 'tool_use', id: 'a', name: 'read', input: { path: 'a' } },
      { type: 'tool_result', tool_use_id: 'a', content: 'text of a' },
      { type: 'tool_use', id: 'c', name: 'read', input: { title: 'Read a' } },
      { type: 'tool_result', tool_use_id: 'c', content: 'no', is_error: true },
      { type: 'tool_use', id: 'b', name: 'read', input: { title: 'Read a' } },
    ]);
  });

  it('may contain calls and results in messages', async () => {
    const said = (message: object) => event('MessageEvent', { llm_message: message });
    const { messages } = await readTranscript(
      linesOf(
        asked(),
        said({ role: 'assistant', content: [], tool_calls: [{ id: 'a', name: 'f', arguments: '{"x":1}' }] }),
        said({ role: 'tool', content: [text('ok')], tool_call_id: 'a', name: 'f' }),
      ),
    );
    expect(messages.slice(1).map(({ role, blocks }) => [role, blocks])).toEqual([
      ['assistant', [{ type: 'tool_use', id: 'a', name: 'f', input: { x: 1 } }]],
      ['user', [{ type: 'tool_result', tool_use_id: 'a', content: [text('ok')] }]],
    ]);
  });

  it('have the model that a benchmark line names beside them', async () => {
    const line = { instance_id: 'i', metadata: { llm: { model: 'claude-x' } }, history: [asked()] };
    const { sessions } = await readTranscript(linesOf(line));
    expect(sessions).toMatchObject([{ model: 'claude-x' }]);
  });
});
