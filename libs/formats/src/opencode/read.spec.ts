import { readTranscript } from '@app/testing';

const CREATED = 1_776_105_641_982;
const user = (id: string, parts: readonly unknown[], more: object = {}) => ({
  info: { id, role: 'user', time: { created: CREATED }, model: { modelID: 'claude-x' }, ...more },
  parts,
});
const assistant = (id: string, parts: readonly object[], more: object = {}) => ({
  info: { id, role: 'assistant', time: { created: CREATED }, modelID: 'claude-x', ...more },
  parts,
});
const text = (words: string) => ({ type: 'text', text: words });
const tool = (id: string, state: object) => ({ type: 'tool', callID: id, tool: 'read', state });
const done = { status: 'completed', input: { path: 'a' }, output: 'words' };
const tokens = { total: 27, input: 10, output: 5, reasoning: 2, cache: { read: 7, write: 3 } };
const start = { type: 'step-start' };
const finish = { type: 'step-finish', reason: 'tool-calls', tokens };
const info = { id: 'ses_1', projectID: 'p', version: '1.4.3', time: { created: CREATED } };

const read = (messages: readonly unknown[], more: object = {}) =>
  readTranscript(JSON.stringify({ info: { ...info, ...more }, messages }, null, 2), { chunkBytes: 500 });
const toldIn = ({ items }: Awaited<ReturnType<typeof read>>) =>
  items.flatMap((item) => {
    if (item.kind === 'message')
      return [
        `${item.message.id} ${item.message.role}:${item.message.blocks.map(({ type }) => type).join('+')}`,
      ];
    return item.kind === 'compaction' ? [`compaction ${item.compaction.id}`] : [];
  });

describe('a session of OpenCode', () => {
  it('has its id, its parent and its model', async () => {
    const { format, sessions, messages } = await read([user('m1', [text('go')])], { parentID: 'ses_0' });
    expect(format).toBe('opencode');
    expect(sessions).toEqual([{ id: 'ses_1', parentId: 'ses_0', model: 'claude-x' }]);
    expect(messages).toMatchObject([{ id: 'm1', role: 'user', createdAt: '2026-04-13T18:40:41.982Z' }]);
  });

  it('has the results after each step, and usage per step', async () => {
    const transcript = await read([
      user('m1', [text('go')]),
      assistant('m2', [
        start,
        { type: 'reasoning', text: 'hm', metadata: { anthropic: { signature: 'sig' } } },
        tool('c1', done),
        tool('c2', { status: 'error', input: {}, error: 'gone' }),
        finish,
        start,
        text('Done.'),
        tool('c3', { status: 'running', input: {} }),
        finish,
        { type: 'patch', hash: 'h', files: [] },
      ]),
    ]);
    expect(toldIn(transcript)).toEqual([
      'm1 user:text',
      'm2 assistant:thinking+tool_use+tool_use',
      'm2.results user:tool_result+tool_result',
      'm2.2 assistant:text+tool_use',
    ]);
    expect(transcript.messages[1]).toMatchObject({
      blocks: [{ signature: 'sig' }, { id: 'c1', name: 'read', input: { path: 'a' } }, { id: 'c2' }],
      model: 'claude-x',
      usage: { model: 'claude-x', inputTokens: 10, cacheReadTokens: 7, cacheWriteTokens: 3, outputTokens: 7 },
    });
    expect(transcript.messages[2]?.blocks).toEqual([
      { type: 'tool_result', tool_use_id: 'c1', content: 'words' },
      { type: 'tool_result', tool_use_id: 'c2', content: 'gone', is_error: true },
    ]);
    expect(transcript.messages[3]?.usage).toBeDefined();
  });

  it('keeps the reasoning of every provider in its own form', async () => {
    const openai = { itemId: 'rs_1', reasoningEncryptedContent: 'AAAA' };
    const { messages } = await read([
      assistant('m1', [
        { type: 'reasoning', text: 'one', metadata: { openai } },
        { type: 'reasoning', text: 'two', metadata: { copilot: { reasoningOpaque: 'BBBB' } } },
      ]),
    ]);
    const [first, second] = messages[0]?.blocks ?? [];
    expect(JSON.parse(String(first?.signature))).toEqual({
      type: 'reasoning',
      id: 'rs_1',
      summary: [{ type: 'summary_text', text: 'one' }],
      encrypted_content: 'AAAA',
    });
    expect(second).toEqual({
      type: 'thinking',
      thinking: 'two',
      opencode: { copilot: { reasoningOpaque: 'BBBB' } },
    });
  });

  it('has images and documents as content, in messages and in results', async () => {
    const image = { type: 'file', mime: 'image/png', filename: 'a.png', url: 'data:image/png;base64,AA==' };
    const pdf = { type: 'file', mime: 'application/pdf', url: 'data:application/pdf;base64,BB==' };
    const { messages } = await read([
      user('m1', [text('see'), image, pdf, { type: 'file', mime: 'text/plain', url: 'file:///a' }]),
      assistant('m2', [tool('c', { ...done, attachments: [image] })]),
    ]);
    expect(messages[0]?.blocks.map(({ type }) => type)).toEqual(['text', 'image', 'document']);
    expect(messages[2]?.blocks).toMatchObject([{ content: [text('words'), { type: 'image' }] }]);
  });

  it('has the output of a tool up to its interruption', async () => {
    const metadata = { interrupted: true, output: 'so far' };
    const state = { status: 'error', input: {}, error: 'Tool execution aborted', metadata };
    const { messages } = await read([assistant('m1', [tool('c1', state)])]);
    expect(messages[1]?.blocks).toEqual([
      { type: 'tool_result', tool_use_id: 'c1', content: 'so far', is_error: true },
    ]);
  });

  it('reports the position of unusable parts, and reads the rest', async () => {
    const { items, messages } = await read([
      'words',
      { info: { role: 'narrator' }, parts: [] },
      user('m1', [text('go'), 7, { type: 'tool', tool: 'read' }]),
      assistant('m2', []),
    ]);
    expect(items.flatMap((item) => (item.kind === 'skipped' ? [item.reason] : []))).toEqual([
      'messages[0] is no message',
      'messages[1] is no message',
      'messages[2].parts[1] is no usable part',
      'messages[2].parts[2] is no usable part',
    ]);
    expect(messages.map(({ id, blocks }) => [id, blocks.length])).toEqual([
      ['m1', 1],
      ['m2', 0],
    ]);
  });
});

describe('a compaction of OpenCode', () => {
  const question = (auto: boolean, more: object = {}) => user('q', [{ type: 'compaction', auto, ...more }]);
  const summary = (more: object = {}, words = 'What was done.') =>
    assistant('k', [start, { type: 'reasoning', text: 'hm' }, text(words), finish], {
      summary: true,
      tokens,
      time: { created: CREATED, completed: CREATED + 30_000 },
      ...more,
    });

  it('is a request message with its answer', async () => {
    const { items } = await read([
      user('m1', [text('go')]),
      question(true),
      summary(),
      user('m2', [text('on')]),
    ]);
    expect(items.filter(({ kind }) => kind === 'compaction')).toEqual([
      {
        kind: 'compaction',
        sessionId: 'ses_1',
        compaction: {
          id: 'k',
          summary: 'What was done.',
          retained: { kind: 'none' },
          trigger: 'automatic',
          createdAt: '2026-04-13T18:41:11.982Z',
          model: 'claude-x',
          agentVersion: '1.4.3',
          usage: {
            model: 'claude-x',
            inputTokens: 10,
            cacheReadTokens: 7,
            cacheWriteTokens: 3,
            outputTokens: 7,
          },
          durationMs: 30_000,
        },
      },
    ]);
  });

  it('may keep the newest messages if the user configured it', async () => {
    const { items } = await read([
      user('m1', [text('go')]),
      user('m2', [text('more')]),
      question(false, { tail_start_id: 'm2' }),
      summary(),
    ]);
    expect(items.at(-1)).toMatchObject({
      compaction: { trigger: 'manual', retained: { kind: 'from', messageId: 'm2' } },
    });
  });

  // Holds rule 11.11.
  it('may be a summary alone, as in earlier versions', async () => {
    const { items } = await read([user('m1', [text('go')]), summary(), user('m2', [text('on')])]);
    expect(items.slice(2)).toMatchObject([
      { kind: 'compaction', compaction: { id: 'k', summary: 'What was done.', retained: { kind: 'none' } } },
      { kind: 'message', message: { id: 'm2' } },
    ]);
  });

  it('that failed is reported and not imported', async () => {
    const { items } = await read([user('m1', [text('go')]), question(true), summary({ error: {} })]);
    expect(items.slice(2)).toEqual([
      { kind: 'skipped', line: 1, reason: 'messages[1] is a compaction without a summary' },
    ]);
  });
});
