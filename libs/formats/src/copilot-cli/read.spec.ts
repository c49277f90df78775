import { linesOf, readTranscript } from '@app/testing';

let count = 0;
const at = '2026-06-25T01:50:34.403Z';
const event = (type: string, data: object, more: object = {}) => {
  count += 1;
  return { type, data, id: `e${count}`, timestamp: at, parentId: null, ...more };
};
const start = () => event('session.start', { sessionId: 'c', version: 1, producer: 'copilot-agent' });
const user = (content: string) =>
  event('user.message', { content, transformedContent: `<now/>${content}`, attachments: [] });
const answer = (data: object) =>
  event('assistant.message', { messageId: 'm', model: 'claude-x', content: '', ...data });
const request = { toolCallId: 't', name: 'bash', arguments: { command: 'ls' }, type: 'function' };

describe('a session of Copilot CLI', () => {
  it('has its prompt, reasoning, calls, results, notes to the model, output tokens, model and times', async () => {
    const image = { type: 'blob', data: 'QQ==', mimeType: 'image/png' };
    const { format, sessions, messages, skipped } = await readTranscript(
      linesOf(
        start(),
        event('system.message', { role: 'system', content: 'Be brief.' }),
        event('user.message', { content: 'Go.', attachments: [image, { type: 'file', path: '/a' }] }),
        event('hook.start', { hookType: 'x' }),
        answer({ reasoningText: 'Hm.', reasoningOpaque: 'sig', toolRequests: [request], outputTokens: 9 }),
        event('tool.execution_complete', { toolCallId: 't', success: false, error: { message: 'no' } }),
        event('system.message', { role: 'system', content: 'Be brief.' }),
        event('system.notification', { content: 'ended' }),
      ),
    );
    expect({ format, sessions, skipped }).toEqual({
      format: 'copilot-cli',
      sessions: [{ id: 'c', model: 'claude-x', system: 'Be brief.' }],
      skipped: [],
    });
    expect(messages.map(({ role, blocks }) => [role, blocks])).toEqual([
      [
        'user',
        [
          { type: 'text', text: 'Go.' },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'QQ==' } },
        ],
      ],
      [
        'assistant',
        [
          { type: 'thinking', thinking: 'Hm.', signature: 'sig' },
          { type: 'tool_use', id: 't', name: 'bash', input: { command: 'ls' } },
        ],
      ],
      ['user', [{ type: 'tool_result', tool_use_id: 't', content: 'no', is_error: true }]],
      ['user', [{ type: 'text', text: 'ended' }]],
    ]);
    expect(messages[1]).toMatchObject({
      model: 'claude-x',
      createdAt: at,
      usage: { outputTokens: 9, inputTokens: 0 },
    });
  });

  it('has the content as sent to the model, and reports duplicate and broken events', async () => {
    const first = user('Go.');
    const { messages, skipped } = await readTranscript(
      linesOf(start(), first, first, event('tool.execution_complete', { success: true })),
    );
    expect(messages.map(({ blocks, inserted }) => ({ blocks, inserted }))).toEqual([
      {
        blocks: [
          { type: 'text', text: '<now/>' },
          { type: 'text', text: 'Go.' },
        ],
        inserted: [0],
      },
    ]);
    expect(skipped).toEqual([3, 4]);
  });

  it('has its sub-agents as child sessions', async () => {
    const { sessions } = await readTranscript(
      linesOf(
        start(),
        user('Go.'),
        answer({ content: 'x', parentToolCallId: 't' }),
        answer({ content: 'y' }),
      ),
    );
    expect(sessions).toMatchObject([{ id: 'c' }, { id: 'c.t', parentId: 'c' }]);
  });

  it('has its compactions, with the messages since each began', async () => {
    const during = user('meanwhile');
    const done = {
      success: true,
      summaryContent: 'so far',
      preCompactionTokens: 90,
      postCompactionTokens: 9,
      compactionTokensUsed: { input: 80, output: 8, cachedInput: 2 },
    };
    const { items } = await readTranscript(
      linesOf(
        start(),
        user('Go.'),
        event('session.compaction_complete', { success: false, error: 'x' }),
        event('session.compaction_start', {}),
        during,
        event('session.compaction_complete', done),
        event('session.compaction_complete', done),
      ),
    );
    const compactions = items.flatMap((item) => (item.kind === 'compaction' ? [item.compaction] : []));
    expect(compactions).toMatchObject([
      {
        summary: 'so far',
        retained: { kind: 'from', messageId: during.id },
        tokensBefore: 90,
        tokensAfter: 9,
        usage: { inputTokens: 80, outputTokens: 8, cacheReadTokens: 2 },
      },
      { retained: { kind: 'none' } },
    ]);
  });

  it('continues as a branch after a rewind', async () => {
    const [first, second] = [user('a'), user('b')];
    const { sessions, items } = await readTranscript(
      linesOf(
        start(),
        first,
        second,
        event('session.snapshot_rewind', { upToEventId: second.id, eventsRemoved: 1 }),
        user('c'),
      ),
    );
    expect(sessions[1]).toMatchObject({
      id: 'c.rewind-1',
      forkOf: { sessionId: 'c', behind: { kind: 'message', id: first.id } },
    });
    expect(items.at(-1)).toMatchObject({ sessionId: 'c.rewind-1' });
  });
});

describe('additional content of a Copilot CLI session', () => {
  const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'QQ==' } };
  const asset = () =>
    event('session.binary_asset', {
      assetId: 'sha256:a',
      type: 'image',
      mimeType: 'image/png',
      data: 'QQ==',
    });
  const blocksOf = async (...events: readonly object[]) => {
    const { messages, skipped } = await readTranscript(linesOf(start(), ...events));
    expect(skipped).toEqual([]);
    return messages.map(({ blocks }) => blocks);
  };

  // Holds rule 11.19.
  it('includes images that are stored once, in each place that names them', async () => {
    const file = { type: 'file', path: '/a.png', assetId: 'sha256:a', mimeType: 'image/png' };
    const shown = { type: 'image', assetId: 'sha256:a', mimeType: 'image/png', byteLength: 1 };
    const blocks = await blocksOf(
      asset(),
      event('user.message', { content: 'Look.', attachments: [file, { type: 'selection', text: 'these' }] }),
      answer({ toolRequests: [request] }),
      event('tool.execution_complete', {
        ...{ toolCallId: 't', success: true },
        result: { content: 'seen', binaryResultsForLlm: [shown], contents: [{ type: 'image' }] },
      }),
    );
    expect(blocks[0]).toEqual([{ type: 'text', text: 'Look.' }, image, { type: 'text', text: 'these' }]);
    expect(blocks[2]?.[0]).toMatchObject({ content: [{ type: 'text', text: 'seen' }, image] });
  });

  it('includes reasoning in the provider’s form', async () => {
    const native = [
      { type: 'thinking', thinking: 'Hm.', signature: 's' },
      { type: 'redacted_thinking', data: 'x' },
    ];
    const item = { type: 'reasoning', id: 'r', summary: [], encrypted_content: 'e' };
    const blocks = await blocksOf(
      answer({ reasoningText: 'Hm.', reasoningBlocks: { provider: 'anthropic', blocks: native } }),
      answer({ reasoningBlocks: { provider: 'openai', blocks: [item] } }),
    );
    expect(blocks).toEqual([native, [{ type: 'thinking', thinking: '', signature: JSON.stringify(item) }]]);
  });

  it('includes tool calls by the user, as user text', async () => {
    const call = { toolCallId: 'u', toolName: 'bash', arguments: { command: 'ls' } };
    const blocks = await blocksOf(
      event('tool.user_requested', call),
      event('tool.execution_complete', { toolCallId: 'u', success: true, result: { content: 'a b' } }),
    );
    expect(blocks).toEqual([[{ type: 'text', text: 'User executed bash:\nls\n\nResult:\na b' }]]);
  });

  it('continues as an empty branch after the context was cleared', async () => {
    const { sessions } = await readTranscript(
      linesOf(start(), user('a'), event('session.context_cleared', { messagesCleared: 1 }), user('b')),
    );
    expect(sessions).toEqual([{ id: 'c' }, { id: 'c.rewind-1' }]);
  });

  it('includes compactions of the sub-agent that the event names', async () => {
    const ofAgent = { agentId: 'x' };
    const { items } = await readTranscript(
      linesOf(
        start(),
        user('a'),
        event('user.message', { content: 'b' }, ofAgent),
        event('session.compaction_start', {}, ofAgent),
        event(
          'session.compaction_complete',
          { success: true, summaryContent: 's', trigger: 'manual' },
          ofAgent,
        ),
      ),
    );
    expect(items.at(-1)).toMatchObject({ sessionId: 'c.x', compaction: { trigger: 'manual' } });
  });
});
