import { linesOf, readTranscript } from '@app/testing';

const header = { sessionId: 'g', projectHash: 'h', startTime: '2026-04-14T00:00:00Z', kind: 'main' };
const at = '2026-04-14T00:01:00.000Z';
const said = (type: string, id: string, content: unknown, more: object = {}) => ({
  id,
  timestamp: at,
  type,
  content,
  ...more,
});
const call = { id: 'c', name: 'read', args: { path: 'a' }, status: 'success', timestamp: at };
const result = [{ functionResponse: { id: 'c', name: 'read', response: { output: 'text of a' } } }];
const tokens = { input: 100, output: 5, cached: 60, thoughts: 7, tool: 0, total: 112 };
const thoughts = [{ subject: 'Reading', description: 'I look.', timestamp: at }];
const answer = said('gemini', 'm2', 'Done.', {
  thoughts,
  tokens,
  model: 'gemini-3',
  toolCalls: [{ ...call, result }],
});
const text = (words: string) => ({ type: 'text', text: words });
const compactionsIn = (items: readonly { kind: string }[]) =>
  items.filter(({ kind }) => kind === 'compaction');

describe('a session of Gemini CLI', () => {
  it('is a document with thoughts, calls, results, usage, model and times', async () => {
    const user = said('user', 'm1', [
      { text: 'Read a.' },
      { inlineData: { mimeType: 'image/png', data: 'QQ==' } },
    ]);
    const document = { ...header, messages: [said('info', 'i', 'Update!'), user, answer] };
    const { format, sessions, messages, skipped } = await readTranscript(JSON.stringify(document, null, 2));
    expect({ format, sessions, skipped }).toEqual({
      format: 'gemini-cli',
      sessions: [{ id: 'g', model: 'gemini-3' }],
      skipped: [],
    });
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'QQ==' } };
    expect(messages).toEqual([
      { id: 'm1', role: 'user', blocks: [text('Read a.'), image], createdAt: at },
      {
        id: 'm2',
        role: 'assistant',
        createdAt: at,
        model: 'gemini-3',
        blocks: [
          { type: 'thinking', thinking: 'Reading\n\nI look.' },
          text('Done.'),
          { type: 'tool_use', id: 'c', name: 'read', input: { path: 'a' } },
        ],
        usage: {
          model: 'gemini-3',
          inputTokens: 40,
          cacheReadTokens: 60,
          cacheWriteTokens: 0,
          outputTokens: 12,
        },
      },
      {
        id: 'm2.results',
        role: 'user',
        createdAt: at,
        blocks: [{ type: 'tool_result', tool_use_id: 'c', content: 'text of a' }],
      },
    ]);
  });

  it('may be lines, where a later line with the same id replaces the message', async () => {
    const early = said('gemini', 'm2', 'Done.', { model: 'gemini-3' });
    const { messages, skipped } = await readTranscript(
      linesOf(
        header,
        said('user', 'm1', 'x'),
        early,
        { $set: { lastUpdated: at } },
        answer,
        said('user', 'm1', 'x'),
      ),
    );
    expect(messages.map(({ id }) => id)).toEqual(['m1', 'm2', 'm2.results']);
    expect(skipped).toEqual([6]);
  });

  it('keeps reasoning signatures, and marks failed and unanswered calls', async () => {
    const parts = [
      { text: 'Hm.', thought: true, thoughtSignature: 's1' },
      { functionCall: { id: 'c', name: 'read', args: {} }, thoughtSignature: 's2' },
    ];
    const failed = {
      ...call,
      status: 'error',
      result: [{ functionResponse: { response: { error: 'no such file' } } }],
    };
    const { messages } = await readTranscript(
      linesOf(
        header,
        said('gemini', 'a', parts, { toolCalls: [failed, { ...call, id: 'd', status: 'cancelled' }] }),
      ),
    );
    expect(messages[0]?.blocks).toEqual([
      { type: 'thinking', thinking: 'Hm.', signature: 's1' },
      { type: 'thinking', thinking: '', signature: 's2' },
      { type: 'tool_use', id: 'c', name: 'read', input: {} },
      { type: 'tool_use', id: 'd', name: 'read', input: { path: 'a' } },
    ]);
    expect(messages[1]?.blocks).toEqual([
      { type: 'tool_result', tool_use_id: 'c', content: 'no such file', is_error: true },
    ]);
  });

  it('continues as a branch after a rewind', async () => {
    const { sessions, items } = await readTranscript(
      linesOf(
        header,
        said('user', 'm1', 'x'),
        said('gemini', 'm2', 'y'),
        said('user', 'm3', 'z'),
        { $rewindTo: 'm3' },
        said('user', 'm4', 'w'),
      ),
    );
    expect(sessions).toMatchObject([
      { id: 'g' },
      { id: 'g.rewind-1', forkOf: { sessionId: 'g', behind: { kind: 'message', id: 'm2' } } },
    ]);
    expect(items.at(-1)).toMatchObject({ sessionId: 'g.rewind-1', message: { id: 'm4' } });
  });

  it('has a compaction with summary and kept messages after a compression', async () => {
    const summary = said('user', 's', [{ text: '<state_snapshot>so far</state_snapshot>' }]);
    const last = said('user', 'm3', 'z');
    const before = [header, said('user', 'm1', 'x'), said('gemini', 'm2', 'y'), last];
    const tail = await readTranscript(
      linesOf(...before, { $set: { messages: [summary, last] } }, said('gemini', 'm4', 'w')),
    );
    expect(compactionsIn(tail.items)).toMatchObject([
      {
        compaction: {
          id: 's',
          summary: '<state_snapshot>so far</state_snapshot>',
          retained: { kind: 'from', messageId: 'm3' },
        },
      },
    ]);
    const acknowledged = [summary, said('gemini', 'ack', 'Got it.'), last];
    const listed = await readTranscript(linesOf(...before, { $set: { messages: acknowledged } }));
    expect(compactionsIn(listed.items)).toMatchObject([
      { compaction: { retained: { kind: 'listed', messages: [{ role: 'assistant' }, { role: 'user' }] } } },
    ]);
    const masked = await readTranscript(
      linesOf(...before, { $set: { messages: [said('user', 'm1', 'x'), last] } }),
    );
    expect(compactionsIn(masked.items)).toEqual([]);
  });

  it('may be a saved chat', async () => {
    const contents = [
      { role: 'user', parts: [{ text: 'x' }] },
      { role: 'model', parts: [{ functionCall: { name: 'read', args: {} } }] },
      { role: 'user', parts: [{ functionResponse: { name: 'read', response: { a: 1 } } }] },
      7,
    ];
    const { format, messages, skipped } = await readTranscript(JSON.stringify({ history: contents }));
    expect(format).toBe('gemini-cli');
    expect(messages.map(({ blocks }) => blocks[0])).toEqual([
      text('x'),
      { type: 'tool_use', id: 'call-1', name: 'read', input: {} },
      { type: 'tool_result', tool_use_id: 'call-1', content: '{"a":1}' },
    ]);
    expect(skipped).toEqual([1]);
  });
});

describe('a rewritten history of Gemini CLI', () => {
  const answered = said('user', 'm3', result);
  const asked = said('user', 'm1', 'Go.');

  it('yields calls, thoughts and results once', async () => {
    const parts = [
      { text: '**Reading** I look.', thought: true },
      { text: 'Done.' },
      { functionCall: { name: 'read', args: { path: 'a' } } },
    ];
    const { messages, skipped } = await readTranscript(
      linesOf(header, asked, { ...answer, content: parts }, answered),
    );
    expect(skipped).toEqual([]);
    expect(messages.slice(1).map(({ blocks }) => blocks)).toMatchObject([
      [{ type: 'thinking' }, text('Done.'), { type: 'tool_use', id: 'c' }],
      [{ type: 'tool_result', tool_use_id: 'c' }],
    ]);
    expect(messages[1]?.blocks).toHaveLength(3);
  });

  // Holds rule 11.12.
  it('clears masked outputs once', async () => {
    const masked = [
      { functionResponse: { id: 'c', name: 'read', response: { output: '<tool_output_masked>\nx' } } },
    ];
    const rewritten = {
      $set: { messages: [asked, { ...answer, toolCalls: [{ ...call, result: masked }] }, answered] },
    };
    const { items } = await readTranscript(linesOf(header, asked, answer, rewritten, rewritten));
    expect(items.slice(-2)).toMatchObject([
      { kind: 'message' },
      { kind: 'pruning', sessionId: 'g', pruning: { callIds: ['c'] } },
    ]);
  });

  it('keeps results once after a summary', async () => {
    const summary = said('user', 's', 'So far.');
    const { items } = await readTranscript(
      linesOf(header, asked, answer, { $set: { messages: [summary, answer, answered] } }),
    );
    expect(compactionsIn(items)).toMatchObject([
      { compaction: { retained: { kind: 'from', messageId: 'm2' } } },
    ]);
  });
});

it('reads checkpoints that Gemini CLI writes before file changes', async () => {
  const { format, messages } = await readTranscript(
    JSON.stringify({
      ...{ history: [{ type: 'user', text: 'Go.', id: 1 }], toolCall: { name: 'replace', args: {} } },
      clientHistory: [
        { role: 'user', parts: [{ text: 'Go.' }] },
        { role: 'model', parts: [{ text: 'Done.' }] },
      ],
    }),
  );
  expect({ format, count: messages.length }).toEqual({ format: 'gemini-cli', count: 2 });
});
