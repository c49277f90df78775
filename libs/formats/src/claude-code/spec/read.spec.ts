import { linesOf, readTranscript } from '@app/testing';

/** Records as Claude Code writes them, as far as the reader looks at them. */
const record = (uuid: string, more: object) => ({
  parentUuid: null,
  isSidechain: false,
  sessionId: 'session-1',
  timestamp: '2026-02-13T09:22:06.382Z',
  uuid,
  ...more,
});
const user = (uuid: string, content: unknown, more: object = {}) =>
  record(uuid, { type: 'user', message: { role: 'user', content }, ...more });
const assistant = (uuid: string, id: string | undefined, content: unknown, more: object = {}) =>
  record(uuid, {
    type: 'assistant',
    message: { id, role: 'assistant', model: 'claude-x', content, ...more },
  });
const text = (words: string) => ({ type: 'text', text: words });
const call = (id: string, input: object = {}) => ({ type: 'tool_use', id, name: 'Read', input });
const result = (id: string, content = 'done') => ({ type: 'tool_result', tool_use_id: id, content });

const read = (...records: readonly object[]) => readTranscript(linesOf(...records));
const rolesOf = ({ messages }: Awaited<ReturnType<typeof read>>) =>
  messages.map(({ role, blocks }) => `${role}:${blocks.map((block) => block.type).join('+')}`);

describe('a response of Claude Code', () => {
  it('is one message, placed before results that interleave with its records', async () => {
    const transcript = await read(
      user('u1', 'go'),
      assistant('a1', 'r1', [{ type: 'thinking', thinking: 'hm', signature: 'sig' }]),
      assistant('a2', 'r1', [call('t1')]),
      user('u2', [result('t1')]),
      { type: 'progress', uuid: 'p1', parentUuid: 'u2' },
      assistant('a3', 'r1', [call('t2')]),
      user('u3', [result('t2')]),
      assistant('a4', 'r2', [text('bye')]),
    );
    expect(rolesOf(transcript)).toEqual([
      'user:text',
      'assistant:thinking+tool_use+tool_use',
      'user:tool_result',
      'user:tool_result',
      'assistant:text',
    ]);
    expect(transcript.messages.map(({ id }) => id)).toEqual(['u1', 'a1', 'u2', 'u3', 'a4']);
  });

  it('continues after records of the harness', async () =>
    expect(
      rolesOf(
        await read(
          assistant('a1', 'r1', [call('t1')]),
          user('u1', [result('t1')]),
          user('u2', 'about the skill', { isMeta: true }),
          assistant('a2', 'r1', [call('t2')]),
        ),
      ),
    ).toEqual(['assistant:tool_use+tool_use', 'user:tool_result', 'user:text']));

  it('ends at a user message, and later records form another message', async () =>
    expect(
      rolesOf(
        await read(
          assistant('a1', 'r1', [text('one')]),
          user('u1', 'stop'),
          assistant('a2', 'r1', [text('one')]),
          assistant('a3', 'r1', [text('two')]),
        ),
      ),
    ).toEqual(['assistant:text', 'user:text', 'assistant:text']));

  it('has the usage of its last record, where null means 0', async () => {
    const usage = (output: number) => ({
      input_tokens: 3,
      cache_read_input_tokens: null,
      cache_creation_input_tokens: 5,
      output_tokens: output,
    });
    const { messages } = await read(
      assistant('a1', 'r1', [text('one')], { usage: usage(1) }),
      assistant('a2', 'r1', [text('two')], { usage: usage(9) }),
    );
    expect(messages[0]).toEqual({
      id: 'a1',
      role: 'assistant',
      blocks: [text('one'), text('two')],
      model: 'claude-x',
      createdAt: '2026-02-13T09:22:06.382Z',
      usage: { model: 'claude-x', inputTokens: 3, cacheReadTokens: 0, cacheWriteTokens: 5, outputTokens: 9 },
    });
  });

  it('keeps the last state of a call that was written while it streamed', async () => {
    const { messages } = await read(
      assistant('a1', 'r1', [call('t1')]),
      assistant('a2', 'r1', [call('t1', { path: 'x' })]),
    );
    expect(messages.map(({ blocks }) => blocks)).toEqual([[call('t1', { path: 'x' })]]);
  });

  it('has no model if it reports an API error', async () => {
    const { messages } = await read({
      ...assistant('a1', 'r1', [text('API Error')], { model: '<synthetic>', usage: { input_tokens: 0 } }),
      isApiErrorMessage: true,
    });
    expect(messages).toEqual([
      { id: 'a1', role: 'assistant', blocks: [text('API Error')], createdAt: '2026-02-13T09:22:06.382Z' },
    ]);
  });

  it('keeps its blocks unchanged, including unknown blocks and fields', async () => {
    const blocks = [
      { type: 'text', text: '', citations: null },
      { type: 'server_tool_use', id: 's', caller: { type: 'direct' } },
      { ...call('t1'), caller: { type: 'direct' } },
    ];
    expect((await read(assistant('a1', 'r1', blocks))).messages[0]?.blocks).toEqual(blocks);
  });
});

describe('a user message that was sent while Claude Code was working', () => {
  const queued = (uuid: string, prompt: unknown) =>
    record(uuid, {
      type: 'attachment',
      attachment: { type: 'queued_command', prompt, commandMode: 'prompt' },
    });

  // Holds rule 11.9.
  it('is a user message after the results that it was delivered with', async () => {
    const transcript = await read(
      user('u1', 'go'),
      assistant('a1', 'r1', [call('t1')]),
      user('u2', [result('t1')]),
      queued('q1', 'and the tests too'),
      assistant('a2', 'r1', [call('t2')]),
      user('u3', [result('t2')]),
      queued('q2', [text('look'), { type: 'image', source: {} }]),
      assistant('a3', 'r2', [text('bye')]),
    );
    expect(rolesOf(transcript)).toEqual([
      'user:text',
      'assistant:tool_use+tool_use',
      'user:tool_result',
      'user:text',
      'user:tool_result',
      'user:text+image',
      'assistant:text',
    ]);
    expect(transcript.skipped).toEqual([]);
  });

  it('is ignored if it is a text of the harness', async () => {
    const reminder = record('q', { type: 'attachment', attachment: { type: 'todo_reminder', content: [] } });
    expect(await read(user('u1', 'go'), reminder)).toMatchObject({ messages: [{ id: 'u1' }], skipped: [] });
  });
});

describe('a duplicate record of Claude Code', () => {
  it('is read once', async () => {
    const once = [
      user('u1', 'go'),
      assistant('a1', 'r1', [call('t1')]),
      user('u2', [result('t1')]),
      assistant('a2', 'r2', [text('x')]),
    ];
    expect((await read(...once, ...once)).messages).toEqual((await read(...once)).messages);
  });

  it('is read once if only the uuid differs', async () =>
    expect(
      rolesOf(
        await read(
          assistant('a1', 'r1', [call('t1')]),
          assistant('a2', 'r1', [call('t1')]),
          user('u1', [result('t1')]),
          assistant('a3', 'r1', [call('t1')]),
          user('u2', [result('t1')]),
        ),
      ),
    ).toEqual(['assistant:tool_use', 'user:tool_result']));

  it('is read twice if the user repeated the text', async () =>
    expect(rolesOf(await read(user('u1', 'go'), user('u2', 'go')))).toEqual(['user:text', 'user:text']));
});

describe('a session of Claude Code', () => {
  it('is detected after records that are not messages, foreign records and broken lines', async () => {
    const transcript = await readTranscript(
      `{"type":"us\n{"some":"thing"}\n${linesOf(
        { type: 'summary', summary: 'x', leafUuid: 'l' },
        { type: 'file-history-snapshot', snapshot: {} },
        { type: 'queue-operation', operation: 'enqueue', sessionId: 'session-1' },
        user('u1', 'go'),
        { type: 'a-type-of-tomorrow', uuid: 'n' },
      )}`,
    );
    expect(transcript).toMatchObject({ format: 'claude-code', skipped: [1, 2, 7] });
    expect(rolesOf(transcript)).toEqual(['user:text']);
  });

  it('is a single session, named by the first record with a session id', async () => {
    const { sessions, messages } = await read(
      { type: 'file-history-snapshot', snapshot: {} },
      user('u1', 'go'),
      { ...user('u2', 'on'), sessionId: 'session-0' },
      assistant('a1', 'r1', [text('x')]),
    );
    expect(sessions).toEqual([{ id: 'session-1', model: 'claude-x' }]);
    expect(messages).toHaveLength(3);
  });

  it('has reminders and images as user messages', async () => {
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA' } };
    const { messages } = await read(
      user('u1', 'reminder', { isMeta: true }),
      user('u3', [image], { toolUseResult: { type: 'image' } }),
    );
    expect(messages.map(({ blocks }) => blocks)).toEqual([[text('reminder')], [image]]);
  });

  it('keeps invalid blocks as text, and reports records without content', async () => {
    const transcript = await read(
      user('u1', ['bare', { type: 'text' }, null, text('good')]),
      user('u2', null),
      { ...user('u3', ''), message: 'gone' },
    );
    expect(transcript.messages.map(({ blocks }) => blocks)).toEqual([
      [text('bare'), text('{"type":"text"}'), text('null'), text('good')],
    ]);
    expect(transcript.skipped).toEqual([2, 3]);
  });

  it('skips content that is nested too deep', async () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const line = JSON.stringify(user('u1', [{ type: 'tool_result', tool_use_id: 't', content: 'DEEP' }]));
    const transcript = await readTranscript(`${line.replace('"DEEP"', deep)}\n${linesOf(user('u2', 'x'))}`, {
      chunkBytes: 1_000,
    });
    expect(transcript.skipped).toEqual([1]);
    expect(transcript.messages).toHaveLength(1);
  });
});
