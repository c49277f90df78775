import { linesOf, readTranscript } from '@app/testing';

const AT = '2026-06-26T12:24:12.748Z';
const line = (type: string, payload: object) => ({ timestamp: AT, type, payload });
const meta = line('session_meta', {
  id: 'rollout-1',
  cwd: '/',
  cli_version: '0.142.2',
  model_provider: 'openai',
  base_instructions: { text: 'You are Codex.' },
});
const context = (model: string) => line('turn_context', { model });
const item = (payload: object) => line('response_item', payload);
const message = (role: string, text: string, more: object = {}) => ({
  type: 'message',
  role,
  content: [{ type: role === 'assistant' ? 'output_text' : 'input_text', text }],
  ...more,
});
const said = (role: string, text: string) => item(message(role, text));
const call = (id: string) =>
  item({ type: 'function_call', call_id: id, name: 'exec', arguments: '{"cmd":"ls"}' });
const output = (id: string, text = 'done') =>
  item({ type: 'function_call_output', call_id: id, output: text });
const reasoning = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'AAAA' };
const bill = (total: number, input = 10) =>
  line('event_msg', {
    type: 'token_count',
    info: {
      total_token_usage: { total_tokens: total },
      last_token_usage: { input_tokens: input, cached_input_tokens: 4, output_tokens: 3 },
    },
  });
const read = (...records: readonly object[]) => readTranscript(linesOf(meta, context('gpt-x'), ...records));
const shapeOf = ({ messages }: Awaited<ReturnType<typeof read>>) =>
  messages.map(({ role, blocks }) => `${role}:${blocks.map(({ type }) => type).join('+')}`);
const compactionsIn = ({ items }: Awaited<ReturnType<typeof read>>) =>
  items.flatMap((one) => (one.kind === 'compaction' ? [one.compaction] : []));

describe('a Codex rollout', () => {
  it('is a session with the instructions and the model of its header', async () => {
    const { format, sessions, messages } = await read(said('developer', 'rules'), said('user', 'go'));
    expect(format).toBe('codex');
    expect(sessions).toEqual([{ id: 'rollout-1', model: 'gpt-x', system: 'You are Codex.' }]);
    expect(messages.map(({ role, createdAt }) => [role, createdAt])).toEqual([
      ['system', AT],
      ['user', AT],
    ]);
  });

  // Holds rule 11.13.
  it('has the context window that Codex recorded', async () => {
    const { sessions } = await read(
      line('event_msg', { type: 'task_started', model_context_window: 258_400 }),
      said('user', 'go'),
    );
    expect(sessions).toMatchObject([{ id: 'rollout-1', window: 258_400 }]);
  });

  it('of a sub-agent has the session that started it as parent', async () => {
    const source = { subagent: { thread_spawn: { parent_thread_id: 'rollout-0', depth: 1 } } };
    const { sessions } = await readTranscript(
      linesOf(line('session_meta', { id: 'rollout-1', source }), said('user', 'go')),
    );
    expect(sessions).toMatchObject([{ id: 'rollout-1', parentId: 'rollout-0' }]);
  });

  it('has the items of a response in one message, before its results, with its usage', async () => {
    const transcript = await read(
      said('user', 'go'),
      item(reasoning),
      said('assistant', 'I look.'),
      call('c1'),
      call('c2'),
      output('c1'),
      output('c2'),
      bill(13),
      bill(13, 99),
      context('gpt-y'),
      item({ ...reasoning, id: 'rs_2' }),
      call('c3'),
      output('c3'),
      said('assistant', 'Done.'),
    );
    expect(shapeOf(transcript)).toEqual([
      'user:text',
      'assistant:thinking+text+tool_use+tool_use',
      'user:tool_result',
      'user:tool_result',
      'assistant:thinking+tool_use',
      'user:tool_result',
      'assistant:text',
    ]);
    expect(transcript.messages.map(({ model, usage }) => [model, usage])).toEqual([
      [undefined, undefined],
      ['gpt-x', { model: 'gpt-x', inputTokens: 6, cacheReadTokens: 4, cacheWriteTokens: 0, outputTokens: 3 }],
      [undefined, undefined],
      [undefined, undefined],
      ['gpt-y', undefined],
      [undefined, undefined],
      ['gpt-y', undefined],
    ]);
  });

  it('keeps reasoning in the provider’s form, and ignores internal records of Codex', async () => {
    const own = { internal_chat_message_metadata_passthrough: { turn_id: 't' } };
    const { messages } = await read(
      said('user', 'go'),
      item({ ...reasoning, ...own }),
      item({ type: 'ghost_snapshot', ghost_commit: {} }),
      item({ type: 'custom_tool_call', call_id: 'c', name: 'apply_patch', input: '*** Begin', ...own }),
    );
    expect(messages[1]?.blocks).toMatchObject([
      { type: 'thinking', thinking: '', signature: JSON.stringify(reasoning) },
      { type: 'tool_use', id: 'c', name: 'apply_patch', input: { _raw: '*** Begin' } },
    ]);
    expect(JSON.stringify(messages)).not.toContain('passthrough');
  });

  it('has images as content blocks', async () => {
    const content = [{ type: 'input_image', image_url: 'data:image/png;base64,AA==' }];
    const { messages } = await read(item({ type: 'message', role: 'user', content }));
    expect(messages[0]?.blocks).toMatchObject([
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA==' } },
    ]);
  });

  it('reports unusable records, and reads the rest', async () => {
    const { skipped, messages } = await readTranscript(
      `${linesOf(meta)}${linesOf(item({}), item({ type: 'message', role: 'user', content: [] }))}{"timestamp\n${linesOf(said('user', 'go'))}`,
    );
    expect(skipped).toEqual([2, 3, 4]);
    expect(messages).toHaveLength(1);
  });
});

describe('rolled back turns of Codex', () => {
  const asked = (text: string) => [
    said('user', text),
    line('event_msg', { type: 'user_message', message: text }),
  ];
  const back = (turns: number) => line('event_msg', { type: 'thread_rolled_back', num_turns: turns });

  it('stay a session, and later turns form a branch of it', async () => {
    const { items, sessions } = await read(
      said('user', 'environment'),
      ...asked('one'),
      said('assistant', 'a'),
      ...asked('two'),
      said('assistant', 'b'),
      ...asked('three'),
      said('assistant', 'c'),
      back(2),
      ...asked('again'),
      said('assistant', 'd'),
      back(1),
      ...asked('at last'),
    );
    expect(sessions.map(({ id, forkOf }) => [id, forkOf?.sessionId, forkOf?.behind.id])).toEqual([
      ['rollout-1', undefined, undefined],
      ['rollout-1.rollback-1', 'rollout-1', 'message-3'],
      ['rollout-1.rollback-2', 'rollout-1.rollback-1', 'message-3'],
    ]);
    expect(
      items.flatMap((one) => (one.kind === 'message' ? [`${one.sessionId} ${one.message.id}`] : [])).slice(6),
    ).toEqual([
      'rollout-1 message-7',
      'rollout-1.rollback-1 message-8',
      'rollout-1.rollback-1 message-9',
      'rollout-1.rollback-2 message-10',
    ]);
  });

  it('may be the whole session', async () => {
    const { sessions } = await read(...asked('one'), back(5), ...asked('again'), back(0));
    expect(sessions.map(({ id, forkOf }) => [id, forkOf])).toEqual([
      ['rollout-1', undefined],
      ['rollout-1.rollback-1', undefined],
    ]);
  });
});

describe('a compaction of Codex', () => {
  const compacted = (payload: object) => line('compacted', payload);
  const opaque = { type: 'compaction', id: 'cmp_1', encrypted_content: 'BBBB' };

  it('by the provider is opaque, and keeps the items that it lists', async () => {
    const transcript = await read(
      said('developer', 'rules'),
      said('user', 'go'),
      said('assistant', 'Going.'),
      compacted({
        message: '',
        window_id: 'w1',
        replacement_history: [message('user', 'go'), message('developer', 'rules'), opaque],
      }),
      said('assistant', 'On it.'),
    );
    expect(compactionsIn(transcript)).toMatchObject([
      {
        id: 'w1',
        retained: { kind: 'listed', messages: [{ role: 'user', blocks: [{ type: 'text', text: 'go' }] }] },
        opaque: { provider: 'openai', items: [opaque] },
        model: 'gpt-x',
        agentVersion: '0.142.2',
        createdAt: AT,
      },
    ]);
    expect(compactionsIn(transcript)[0]).not.toHaveProperty('summary');
  });

  it('by Codex has its summary among the kept items', async () => {
    const introduced = 'Another model has summarized:\nWhat was done.';
    const transcript = await read(
      said('user', 'go'),
      compacted({
        message: 'What was done.',
        replacement_history: [message('user', 'go'), message('user', introduced)],
      }),
    );
    expect(compactionsIn(transcript)).toMatchObject([
      { id: 'compaction-1', summary: introduced, retained: { messages: [{ role: 'user' }] } },
    ]);
  });

  it('without a list of kept items keeps the user messages', async () => {
    const transcript = await read(
      said('user', 'one'),
      said('assistant', 'a'),
      said('user', 'two'),
      compacted({ message: 'What was done.' }),
    );
    const [compaction] = compactionsIn(transcript);
    expect(compaction).toMatchObject({ summary: 'What was done.', retained: { kind: 'listed' } });
    const kept = compaction?.retained.kind === 'listed' ? compaction.retained.messages : [];
    expect(kept.map(({ blocks }) => blocks[0]?.text)).toEqual(['one', 'two']);
  });
});
