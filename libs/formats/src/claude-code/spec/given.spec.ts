import { linesOf, readTranscript } from '@app/testing';

const AT = '2026-02-13T09:22:06.382Z';
const record = (uuid: string, more: object) => ({
  ...{ parentUuid: null, isSidechain: false, sessionId: 's', timestamp: AT, uuid },
  ...more,
});
const user = (uuid: string, content: unknown) =>
  record(uuid, { type: 'user', message: { role: 'user', content } });
const assistant = (uuid: string, id: string, content: unknown) =>
  record(uuid, { type: 'assistant', message: { id, role: 'assistant', content } });
const text = (words: string) => ({ type: 'text', text: words });
const call = (id: string) => ({ type: 'tool_use', id, name: 'Read', input: {} });
const result = (id: string, content = 'done') => ({ type: 'tool_result', tool_use_id: id, content });
const attachment = (uuid: string, attached: object) =>
  record(uuid, { type: 'attachment', attachment: attached });
let second = 0;
const queue = (operation: string, content?: string, more: object = {}) => {
  second += 1;
  const timestamp = new Date(Date.parse(AT) + second * 1_000).toISOString();
  return {
    type: 'queue-operation',
    operation,
    timestamp,
    sessionId: 's',
    ...(content && { content }),
    ...more,
  };
};

const read = (...records: readonly object[]) => readTranscript(linesOf(...records));
const told = ({ messages }: Awaited<ReturnType<typeof read>>) =>
  messages.map(({ role, blocks }) => {
    const words = blocks.map((block) => ('text' in block ? String(block.text) : block.type));
    return `${role}: ${words.join(' | ')}`;
  });

describe('a queued message in a Claude Code log without attachments', () => {
  const working = [user('u1', 'go'), assistant('a1', 'r1', [text('hm')])];
  const called = [assistant('a2', 'r1', [call('t1')]), user('u2', [result('t1')])];
  const answered = assistant('a3', 'r2', [text('I see.')]);

  it('is placed where the model received it: after the results of its calls', async () => {
    const transcript = await read(
      ...working,
      queue('enqueue', 'no main.go'),
      queue('remove'),
      ...called,
      answered,
    );
    expect(told(transcript)).toEqual([
      'user: go',
      'assistant: hm | tool_use',
      'user: tool_result',
      'user: no main.go',
      'assistant: I see.',
    ]);
    expect(transcript.skipped).toEqual([]);
  });

  it('is placed at the end if nothing follows', async () =>
    expect(
      told(await read(...working, ...called, queue('enqueue', 'and the tests'), queue('remove'))).at(-1),
    ).toBe('user: and the tests'));

  it.each([
    ['has a record of its own', [queue('enqueue', 'next'), queue('dequeue'), user('u3', 'next')]],
    ['was returned to the prompt', [queue('enqueue', 'oh'), queue('popAll'), user('u3', 'next')]],
    [
      'was cancelled',
      [queue('enqueue', 'oh'), queue('remove', 'oh', { reason: 'cancelled' }), user('u3', 'next')],
    ],
    [
      'is repeated in an attachment',
      [
        queue('enqueue', 'next'),
        queue('remove'),
        attachment('q1', { type: 'queued_command', prompt: 'next' }),
      ],
    ],
    [
      'is repeated in the result that it came with',
      [
        queue('enqueue', 'next'),
        user('u3', [result('t2', 'done\n\nThe user sent a new message while you were working:\nnext')]),
        queue('remove'),
      ],
    ],
  ])('is imported at most once if it %s', async (_, records) => {
    const words = told(await read(...working, ...called, ...records, answered));
    expect(words).toHaveLength(5);
    expect(words).not.toContain('user: oh');
  });
});

describe('content that Claude Code inserted as the user', () => {
  // Holds rule 11.9.
  it('includes attachments: files with images, selections, output of hooks and of other agents', async () => {
    const transcript = await read(
      user('u1', 'look at @a.ts'),
      attachment('f1', {
        type: 'file',
        filename: '/a.ts',
        content: { type: 'text', file: { filePath: '/a.ts', content: 'one' } },
      }),
      attachment('f2', {
        type: 'file',
        filename: '/a.png',
        content: { type: 'image', file: { base64: 'AA==', type: 'image/png' } },
      }),
      attachment('f3', { type: 'edited_text_file', filename: '/b.ts', snippet: '1 two' }),
      attachment('f4', { type: 'selected_lines_in_ide', filename: '/c.ts', content: 'three' }),
      attachment('f5', { type: 'hook_additional_context', hookName: 'Stop', content: ['four', 'five'] }),
      attachment('f6', {
        type: 'hook_success',
        hookEvent: 'SessionStart',
        hookName: 'SessionStart',
        content: 'six',
      }),
      attachment('f7', { type: 'teammate_mailbox', messages: [{ from: 'lead', text: 'seven' }] }),
      attachment('f8', { type: 'nested_memory', path: '/d', content: { path: '/d', content: 'eight' } }),
    );
    const reminder = (...lines: readonly string[]) =>
      ['user: <system-reminder>', ...lines, '</system-reminder>'].join('\n');
    expect(told(transcript).slice(1)).toEqual([
      reminder('[file /a.ts]', 'one'),
      `${reminder('[file /a.png]')} | image`,
      reminder('[edited text file /b.ts]', '1 two'),
      reminder('[selected lines in ide /c.ts]', 'three'),
      reminder('[hook additional context Stop]', 'four', 'five'),
      reminder('[hook success SessionStart]', 'six'),
      reminder('[teammate mailbox]', '[from lead]', 'seven'),
      reminder('[nested memory /d]', 'eight'),
    ]);
  });

  it('does not hide the model of the session, regardless of its length', async () => {
    const files = Array.from({ length: 40 }, (_, at) =>
      attachment(`f${at}`, { type: 'nested_memory', path: '/d', content: { content: String(at) } }),
    );
    const message = { id: 'r1', role: 'assistant', model: 'claude-x', content: [text('hm')] };
    const { sessions } = await read(user('u1', 'go'), ...files, record('a1', { type: 'assistant', message }));
    expect(sessions).toEqual([{ id: 's', model: 'claude-x' }]);
  });

  it('excludes reminders and empty records', async () => {
    const { messages, skipped } = await read(
      user('u1', 'go'),
      attachment('f1', { type: 'todo_reminder', content: [{ content: 'x' }] }),
      attachment('f2', { type: 'hook_success', hookEvent: 'PreToolUse', content: 'x' }),
      attachment('f3', { type: 'hook_additional_context', content: [] }),
      attachment('f4', { type: 'queued_command' }),
    );
    expect([messages.length, skipped]).toEqual([1, []]);
  });

  it('includes the output of the user’s local commands, in any position', async () => {
    const transcript = await read(
      assistant('a1', 'r1', [text('done')]),
      record('c1', {
        type: 'system',
        subtype: 'local_command',
        content: '<command-name>/cost</command-name>',
      }),
      record('c2', { type: 'system', subtype: 'turn_duration', durationMs: 1 }),
    );
    expect(told(transcript)).toEqual(['assistant: done', 'user: <command-name>/cost</command-name>']);
  });

  it('does not separate a compaction from its summary', async () => {
    const { items } = await read(
      user('u1', 'go'),
      record('b1', { type: 'system', subtype: 'compact_boundary', compactMetadata: { trigger: 'auto' } }),
      attachment('f1', { type: 'hook_additional_context', hookName: 'PreCompact', content: ['x'] }),
      { ...user('s1', 'So far.'), isCompactSummary: true },
    );
    expect(items.map(({ kind }) => kind)).toEqual(['session', 'message', 'message', 'compaction']);
  });
});

describe('the output stream of Claude Code', () => {
  const streamed = (uuid: string, type: string, more: object, calledBy: string | null = null) => ({
    ...{ type, uuid, session_id: 's', parent_tool_use_id: calledBy },
    ...more,
  });
  const said = (uuid: string, role: string, content: unknown, calledBy?: string, more: object = {}) =>
    streamed(
      uuid,
      role,
      { message: { role, content, ...(role === 'assistant' && { id: uuid }) }, ...more },
      calledBy,
    );
  const output = [
    streamed('i', 'system', { subtype: 'init', model: 'claude-x', tools: [] }),
    said('a1', 'assistant', [call('t1')]),
    said('x1', 'user', [text('look')], 't1'),
    said('x2', 'assistant', [text('found')], 't1'),
    said('u1', 'user', [result('t1')]),
    streamed('b1', 'system', {
      subtype: 'compact_boundary',
      compact_metadata: { trigger: 'auto', pre_tokens: 9 },
    }),
    said('u2', 'user', 'This session is being continued from a previous conversation.', undefined, {
      isSynthetic: true,
    }),
    said('a2', 'assistant', [text('Done.')]),
    streamed('r', 'result', { subtype: 'success', result: 'Done.' }),
  ];

  it.each([
    ['on lines', linesOf(...output)],
    ['as a list', JSON.stringify(output, null, 1)],
  ])('is read as a session with side chains and compactions, %s', async (_, content) => {
    const { format, items, sessions, skipped } = await readTranscript(content);
    expect({ format, skipped }).toEqual({ format: 'claude-code', skipped: [] });
    expect(sessions.map(({ id, parentId }) => [id, parentId])).toEqual([
      ['s', undefined],
      ['s.t1', 's'],
    ]);
    const of = (id: string) =>
      items.flatMap((item) => (item.kind === 'message' && item.sessionId === id ? [item.message.id] : []));
    expect([of('s'), of('s.t1')]).toEqual([
      ['a1', 'u1', 'a2'],
      ['x1', 'x2'],
    ]);
    expect(items.flatMap((item) => (item.kind === 'compaction' ? [item.compaction] : []))).toMatchObject([
      { id: 'b1', trigger: 'automatic', tokensBefore: 9 },
    ]);
  });
});
