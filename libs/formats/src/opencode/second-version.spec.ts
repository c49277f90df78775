import { readTranscript } from '@app/testing';

const CREATED = 1_776_105_641_982;
const base64 = (text: string) => Buffer.from(text).toString('base64');
const one = (id: string, type: string, more: object = {}) => ({
  ...{ id: `msg_${id}`, type, time: { created: CREATED } },
  ...more,
});
const answer = (id: string, content: readonly object[], more: object = {}) =>
  one(id, 'assistant', {
    agent: 'build',
    model: { id: 'claude-x', providerID: 'anthropic' },
    content,
    ...more,
  });
const text = (words: string) => ({ type: 'text', text: words });
const tool = (id: string, state: object) => ({ type: 'tool', id, name: 'read', state });
const info = { id: 'ses_2', projectID: 'p', parentID: 'ses_1', location: { directory: '/' } };
const tokens = { input: 10, output: 5, reasoning: 2, cache: { read: 7, write: 3 } };
const read = (...messages: readonly object[]) => readTranscript(JSON.stringify({ info, messages }, null, 2));

describe('a session of OpenCode 2', () => {
  it('has the texts of user, harness and model', async () => {
    const { format, sessions, messages, skipped } = await read(
      one('1', 'model-switched', { model: { id: 'claude-x', providerID: 'anthropic' } }),
      one('2', 'system', { text: 'rules' }),
      one('3', 'user', {
        text: 'go',
        files: [
          { mime: 'image/png', data: 'AA==' },
          { mime: 'text/plain', name: 'a', data: base64('one') },
        ],
      }),
      one('4', 'synthetic', { text: 'note' }),
      one('5', 'skill', { skill: 's', name: 's', text: 'how' }),
      one('6', 'shell', { command: 'ls', status: 'exited', output: { output: 'b' } }),
      answer('7', [text('Done.')], { tokens, time: { created: CREATED, completed: CREATED } }),
      one('8', 'idle', { outcome: 'succeeded' }),
    );
    expect({ format, skipped }).toEqual({ format: 'opencode', skipped: [] });
    expect(sessions).toEqual([{ id: 'ses_2', parentId: 'ses_1', model: 'claude-x' }]);
    expect(
      messages.map(({ id, role, blocks }) => [id, role, ...blocks.map((block) => block.text ?? block.type)]),
    ).toEqual([
      ['msg_2', 'system', 'rules'],
      ['msg_3', 'user', 'go', 'image', '[file a]\none'],
      ['msg_4', 'user', 'note'],
      ['msg_5', 'user', 'how'],
      ['msg_6', 'user', '$ ls\nb'],
      ['msg_7', 'assistant', 'Done.'],
    ]);
    expect(messages.at(-1)).toMatchObject({
      model: 'claude-x',
      createdAt: '2026-04-13T18:40:41.982Z',
      usage: { inputTokens: 10, cacheReadTokens: 7, cacheWriteTokens: 3, outputTokens: 5 },
    });
  });

  it('has calls followed by their results, and reasoning with its signature', async () => {
    const { messages } = await read(
      answer('1', [
        { type: 'reasoning', text: 'hm', native: { signature: 'sig' } },
        { type: 'reasoning', text: '', state: { itemId: 'rs_1', reasoningEncryptedContent: 'AAAA' } },
        tool('c1', {
          ...{ status: 'completed', input: { path: 'a' } },
          content: [text('words'), { type: 'file', uri: 'data:image/png;base64,AA==', mime: 'image/png' }],
        }),
        tool('c2', {
          status: 'error',
          input: {},
          error: { type: 'x', message: 'gone' },
          content: [text('half')],
        }),
        tool('c3', { status: 'streaming', input: '{"pa' }),
      ]),
    );
    expect(messages.map(({ id, role }) => [id, role])).toEqual([
      ['msg_1', 'assistant'],
      ['msg_1.results', 'user'],
    ]);
    const item = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'AAAA' };
    expect(messages.flatMap(({ blocks }) => blocks)).toEqual([
      { type: 'thinking', thinking: 'hm', signature: 'sig' },
      { type: 'thinking', thinking: '', signature: JSON.stringify(item) },
      { type: 'tool_use', id: 'c1', name: 'read', input: { path: 'a' } },
      { type: 'tool_use', id: 'c2', name: 'read', input: {} },
      { type: 'tool_use', id: 'c3', name: 'read', input: {} },
      {
        type: 'tool_result',
        tool_use_id: 'c1',
        content: [
          { type: 'text', text: 'words' },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA==' } },
        ],
      },
      { type: 'tool_result', tool_use_id: 'c2', content: 'gone\nhalf', is_error: true },
    ]);
  });

  it('has its compactions, including their verbatim recent messages', async () => {
    const done = { status: 'completed', reason: 'auto', summary: 'So far.', recent: 'user: go' };
    const { items } = await read(
      one('1', 'user', { text: 'go' }),
      one('2', 'compaction', done),
      one('3', 'compaction', { status: 'failed', reason: 'manual', error: { type: 'x', message: 'no' } }),
      one('4', 'a-kind-of-tomorrow'),
      answer('5', [text('on')]),
    );
    expect(items.slice(2)).toMatchObject([
      {
        kind: 'compaction',
        compaction: {
          id: 'msg_2',
          summary: 'So far.\n\n<recent-context>\nuser: go\n</recent-context>',
          retained: { kind: 'none' },
          trigger: 'automatic',
        },
      },
      { kind: 'skipped', reason: 'messages[2] is a compaction without a summary' },
      { kind: 'skipped', reason: 'messages[3] is no message' },
      { kind: 'message', message: { id: 'msg_5' } },
    ]);
  });
});
