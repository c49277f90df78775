import { linesOf, readTranscript } from '@app/testing';

const AT = '2026-06-26T12:24:12.748Z';
const line = (type: string, payload: object) => ({ timestamp: AT, type, payload });
const meta = (id: string, more: object = {}) => line('session_meta', { id, cwd: '/', ...more });
const message = (role: string, text: string) => ({
  ...{ type: 'message', role },
  content: [{ type: role === 'assistant' ? 'output_text' : 'input_text', text }],
});
const item = (payload: object) => line('response_item', payload);
const said = (role: string, text: string) => item(message(role, text));
const read = (...records: readonly object[]) => readTranscript(linesOf(meta('rollout-1'), ...records));

describe('a Codex item', () => {
  it('for the provider’s shell is a call, answered by its output', async () => {
    const action = { type: 'exec', command: ['ls'] };
    const own = { type: 'local_shell_call', call_id: 'c1', status: 'completed', action };
    const { messages } = await read(
      said('user', 'go'),
      item(own),
      item({ type: 'function_call_output', call_id: 'c1', output: 'a' }),
    );
    expect(messages.slice(1).map(({ role, blocks }) => [role, blocks])).toEqual([
      ['assistant', [{ type: 'tool_use', id: 'c1', name: 'local_shell', input: action, openai: own }]],
      ['user', [{ type: 'tool_result', tool_use_id: 'c1', content: 'a' }]],
    ]);
  });

  it('from another agent is attributed to that agent, in every form', async () => {
    const content = [{ type: 'input_text', text: 'done' }];
    const own = { type: 'agent_message', author: '/root/a', recipient: '/root', content };
    const { messages, skipped } = await read(
      said('assistant', 'waiting'),
      item(own),
      line('inter_agent_communication', { author: '/root/a', recipient: '/root', content: 'done' }),
      line('inter_agent_communication_metadata', { trigger_turn: true }),
      line('world_state', {}),
    );
    const words = '<agent-message>\n[from /root/a]\ndone\n</agent-message>';
    const from = [{ type: 'text', text: words, openai: own }];
    expect(messages.slice(1).map(({ role, blocks }) => [role, blocks])).toEqual([
      ['user', from],
      ['user', from],
    ]);
    expect(skipped).toEqual([]);
  });

  it('for a generated image is one line without the image data', async () => {
    const own = { type: 'image_generation_call', id: 'ig_1', revised_prompt: 'a cat', result: 'AAAA' };
    const { messages } = await read(said('user', 'draw'), item(own));
    expect(messages[1]?.blocks).toEqual([{ type: 'text', text: '[image generated: a cat]', openai: own }]);
  });

  it('that is not output of the model is not an assistant message', async () => {
    const { messages } = await read(said('assistant', 'a'), item({ type: 'additional_tools', tools: [] }));
    expect(messages.map(({ role }) => role)).toEqual(['assistant', 'system']);
  });
});

describe('a forked rollout', () => {
  // Holds rule 11.8.
  it('is one session, in any position of the headers of its source', async () => {
    const { sessions, messages } = await readTranscript(
      linesOf(
        meta('child', { forked_from_id: 'origin' }),
        meta('origin'),
        said('user', 'one'),
        meta('origin', { memory_mode: 'disabled' }),
        said('user', 'two'),
      ),
    );
    expect(sessions.map(({ id }) => id)).toEqual(['child']);
    expect(messages).toHaveLength(2);
  });

  it('has the parent that its header names', async () => {
    const { sessions } = await readTranscript(
      linesOf(meta('kid', { parent_thread_id: 'mum' }), said('user', 'go')),
    );
    expect(sessions).toMatchObject([{ id: 'kid', parentId: 'mum' }]);
  });

  it('has a branch for turns that items mark as rolled back', async () => {
    const asked = (text: string) => [
      said('user', text),
      line('event_msg', { type: 'item_completed', item: { type: 'UserMessage' } }),
      line('event_msg', { type: 'user_message', message: text }),
    ];
    const { sessions } = await read(
      ...asked('one'),
      said('assistant', 'a'),
      ...asked('two'),
      line('event_msg', { type: 'thread_rolled_back', num_turns: 1 }),
      ...asked('again'),
    );
    expect(sessions.map(({ id, forkOf }) => [id, forkOf?.behind.id])).toEqual([
      ['rollout-1', undefined],
      ['rollout-1.rollback-1', 'message-2'],
    ]);
  });
});
