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

  it('has what the model was shown of a message, and reports a doubled and a broken event', async () => {
    const first = user('Go.');
    const { messages, skipped } = await readTranscript(
      linesOf(start(), first, first, event('tool.execution_complete', { success: true })),
    );
    expect(messages.map(({ blocks }) => blocks)).toEqual([[{ type: 'text', text: '<now/>Go.' }]]);
    expect(skipped).toEqual([3, 4]);
  });

  it('has its sub-agents as sessions under it', async () => {
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

  it('has its compactions, with what was said since they began', async () => {
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

  it('that was rewound goes on as a branch', async () => {
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
