import { linesOf, readTranscript } from '@app/testing';

const AT = '2026-05-20T10:00:33.231Z';
const header = { type: 'session', version: 3, id: 'pi-1', timestamp: AT, cwd: '/home' };
const entry = (message: object, more: object = {}) => ({ type: 'message', timestamp: AT, message, ...more });
const text = (words: string) => ({ type: 'text', text: words });
const read = (...records: readonly object[]) => readTranscript(linesOf(header, ...records));
const blocksOf = async (...records: readonly object[]) =>
  (await read(...records)).messages.map(({ role, blocks }) => ({ role, blocks }));

describe('a session of pi', () => {
  it('has the id of its header, and the model chosen before its first message', async () => {
    const { format, sessions, messages } = await read(
      { type: 'model_change', timestamp: AT, modelId: 'gpt-x' },
      entry({ role: 'user', content: 'go' }, { id: 'e1', parentId: null }),
    );
    expect(format).toBe('pi');
    expect(sessions).toEqual([{ id: 'pi-1', model: 'gpt-x', project: 'home' }]);
    expect(messages).toEqual([{ id: 'e1', role: 'user', blocks: [text('go')], createdAt: AT }]);
  });

  it('may be a list of messages without ids', async () => {
    const { sessions, messages } = await readTranscript(
      linesOf(
        { type: 'session', id: 'v1', timestamp: AT, cwd: '/', modelId: 'claude-x' },
        entry({ role: 'user', content: [text('a')] }),
        entry({ role: 'user', content: [text('b')] }),
      ),
    );
    expect(sessions).toEqual([{ id: 'v1', model: 'claude-x' }]);
    expect(messages.map(({ id }) => id)).toEqual(['message-1', 'message-2']);
  });

  it('is named after the file if its header is lost', async () => {
    const { sessions } = await readTranscript(linesOf(entry({ role: 'user', content: 'go' })), {
      name: 'a b.jsonl',
    });
    expect(sessions[0]?.id).toMatch(/^a_b-[0-9a-f]{8}$/);
  });

  it('ends at the header of another session, and continues at its own', async () => {
    const { items } = await read(
      entry({ role: 'user', content: 'a' }),
      { ...header, id: 'pi-2' },
      entry({ role: 'user', content: 'b' }),
      header,
      entry({ role: 'user', content: 'c' }),
    );
    expect(items.map((item) => (item.kind === 'message' ? item.sessionId : item.kind))).toEqual([
      'session',
      'pi-1',
      'session',
      'pi-2',
      'pi-1',
    ]);
  });
});

describe('a message of pi', () => {
  it('of the assistant has reasoning with signature, calls by id, and usage', async () => {
    const { messages } = await read(
      entry({
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'hm', thinkingSignature: '{"id":"rs"}' },
          { type: 'thinking', thinking: 'unsigned' },
          { type: 'text', text: 'so', textSignature: 'msg' },
          { type: 'toolCall', id: 'call_x|fc_y', name: 'bash', arguments: { command: 'ls' } },
        ],
        model: 'gpt-x',
        usage: { input: 1, output: 2, cacheRead: 3, cacheWrite: 4, cost: {} },
      }),
    );
    expect(messages[0]).toEqual({
      id: 'message-1',
      role: 'assistant',
      blocks: [
        { type: 'thinking', thinking: 'hm', signature: '{"id":"rs"}' },
        { type: 'thinking', thinking: 'unsigned' },
        text('so'),
        { type: 'tool_use', id: 'call_x|fc_y', name: 'bash', input: { command: 'ls' } },
      ],
      model: 'gpt-x',
      createdAt: AT,
      usage: { model: 'gpt-x', inputTokens: 1, outputTokens: 2, cacheReadTokens: 3, cacheWriteTokens: 4 },
    });
  });

  it('that was aborted has no blocks', async () =>
    expect(await blocksOf(entry({ role: 'assistant', content: [], stopReason: 'aborted' }))).toEqual([
      { role: 'assistant', blocks: [] },
    ]));

  it('that is a result answers its call', async () =>
    expect(
      await blocksOf(
        entry({
          role: 'toolResult',
          toolCallId: 'c',
          content: [text('out'), { type: 'image', data: 'AA', mimeType: 'image/png' }],
          isError: true,
        }),
      ),
    ).toEqual([
      {
        role: 'user',
        blocks: [
          {
            type: 'tool_result',
            tool_use_id: 'c',
            content: [
              text('out'),
              { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA' } },
            ],
            is_error: true,
          },
        ],
      },
    ]));

  it('that is a command of the user has the command and its output', async () =>
    expect(
      await blocksOf(
        entry({ role: 'bashExecution', command: 'make', output: 'no rule', exitCode: 2, truncated: true }),
      ),
    ).toEqual([{ role: 'user', blocks: [text('$ make\nno rule\n(exit code 2)\n(output truncated)')] }]));

  // Holds rule 11.9.
  it('is dropped if it is a command hidden from the model', async () => {
    const command = { role: 'bashExecution', command: 'ls', output: 'a', excludeFromContext: true };
    const { messages, skipped } = await read(entry(command), entry({ role: 'user', content: 'go' }));
    expect([messages.length, skipped]).toEqual([1, []]);
  });

  it('keeps redacted reasoning unchanged', async () => {
    const thinking = { type: 'thinking', thinking: '[Reasoning redacted]', thinkingSignature: 'AAAA' };
    const content = [{ ...thinking, redacted: true }];
    expect(await blocksOf(entry({ role: 'assistant', content }))).toEqual([
      { role: 'assistant', blocks: [{ type: 'redacted_thinking', data: 'AAAA' }] },
    ]);
  });

  it('may be a summary, or a text of an extension', async () =>
    expect(
      await blocksOf(
        { type: 'branch_summary', timestamp: AT, summary: 'two' },
        { type: 'custom_message', timestamp: AT, content: 'three' },
        entry({ role: 'compactionSummary', summary: 'four' }),
        entry({ role: 'custom', content: [text('five')] }),
        { type: 'custom', timestamp: AT, data: {} },
        { type: 'label', timestamp: AT },
      ),
    ).toEqual(['two', 'three', 'four', 'five'].map((words) => ({ role: 'user', blocks: [text(words)] }))));

  it('keeps malformed parts as text, and is reported if no part is usable', async () => {
    const call = { type: 'toolCall', id: 'c', name: 'bash', arguments: 'ls' };
    const transcript = await read(
      entry({ role: 'assistant', content: [call] }),
      entry({ role: 'toolResult', content: 'lost its call' }),
      entry({ role: 'a-role-of-tomorrow', content: 'x' }),
      { type: 'message', timestamp: AT },
      { type: 'compaction', timestamp: AT },
    );
    expect(transcript.messages.map(({ blocks }) => blocks)).toEqual([
      [text(JSON.stringify(call))],
      [text('{"role":"toolResult","content":"lost its call"}')],
    ]);
    expect(transcript.skipped).toEqual([4, 5, 6]);
  });
});
