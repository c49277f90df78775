import { linesOf, readTranscript } from '@app/testing';

const text = (words: string) => ({ type: 'text', text: words });
const user = { role: 'user', content: 'go' };
const blocks = [
  { type: 'thinking', thinking: '', signature: 's' },
  { type: 'redacted_thinking', data: 'd' },
  { type: 'text', text: 'x', citations: null, cache_control: { type: 'ephemeral' } },
  { type: 'mcp_tool_use', id: 'm', server_name: 's' },
  { type: 'tool_use', id: 't', name: 'n', input: { deep: [{ a: null }] }, caller: { type: 'direct' } },
];
const assistant = { role: 'assistant', content: blocks };

describe('a document of Anthropic messages', () => {
  it('keeps its content blocks unchanged', async () => {
    const result = { tool_use_id: 't', type: 'tool_result', content: [text('out')], is_error: false };
    const document = { model: 'claude-x', messages: [user, assistant, { role: 'user', content: [result] }] };
    const { format, sessions, messages } = await readTranscript(JSON.stringify(document), {
      name: 'a/run.json',
    });
    expect(format).toBe('anthropic-messages');
    expect(sessions).toEqual([{ id: expect.stringMatching(/^run-[0-9a-f]{8}$/), model: 'claude-x' }]);
    expect(messages).toEqual([
      { id: 'message-1', role: 'user', blocks: [text('go')] },
      { id: 'message-2', role: 'assistant', blocks },
      { id: 'message-3', role: 'user', blocks: [result] },
    ]);
    expect(Object.keys(messages[2]?.blocks[0] ?? {})).toEqual(['tool_use_id', 'type', 'content', 'is_error']);
  });

  it('keeps reasoning with an invalid signature as text, because no provider would accept it', async () => {
    const odd = { type: 'thinking', thinking: 'Hm.', signature: { a: 1 } };
    const { messages } = await readTranscript(
      JSON.stringify([user, { role: 'assistant', content: [odd, ...blocks] }]),
    );
    expect(messages[1]?.blocks[0]).toEqual(text(JSON.stringify(odd)));
  });

  it('has the system prompt and the tools of the session', async () => {
    const tools = [{ name: 'n', input_schema: { type: 'object' } }];
    const systemOf = async (system: unknown) =>
      (await readTranscript(JSON.stringify({ system, tools, messages: [user] }))).sessions[0];
    expect(await systemOf('be brief')).toMatchObject({ system: 'be brief', tools });
    expect(await systemOf([text('be'), { ...text('brief'), cache_control: {} }])).toMatchObject({
      system: 'be\nbrief',
    });
  });

  it('has its ID in the member `conversation`', async () => {
    const { sessions } = await readTranscript(JSON.stringify({ conversation: 'mine', messages: [user] }));
    expect(sessions).toMatchObject([{ id: 'mine' }]);
  });

  it('may be a bare list over many lines', async () =>
    expect(
      (await readTranscript(JSON.stringify([user, assistant], null, 2).replaceAll('\n', '\r\n'))).messages,
    ).toHaveLength(2));

  it('may have one message per line, separated by commas', async () =>
    expect(
      (await readTranscript(`[\n${[user, user, assistant].map((it) => JSON.stringify(it)).join(',\n')}\n]\n`))
        .messages,
    ).toHaveLength(3));

  it('reports elements that are not messages, and reads the rest', async () => {
    const broken = [null, 7, { role: 'robot', content: 'x' }, { role: 'user' }];
    const transcript = await readTranscript(JSON.stringify([user, ...broken, assistant]));
    expect(transcript.messages).toHaveLength(2);
    expect(transcript.skipped).toEqual([1, 1, 1, 1]);
  });

  it('may contain messages in OpenAI’s form', async () => {
    const foreign = { role: 'tool', tool_call_id: 't', content: 'out' };
    const { format, messages } = await readTranscript(linesOf(...Array(40).fill(user), foreign));
    expect(format).toBe('anthropic-messages');
    expect(messages.at(-1)?.blocks).toEqual([{ type: 'tool_result', tool_use_id: 't', content: 'out' }]);
  });
});

describe('lines of Anthropic messages', () => {
  it('form one session', async () => {
    const { format, sessions, messages } = await readTranscript(linesOf(user, assistant));
    expect(format).toBe('anthropic-messages');
    expect(sessions).toHaveLength(1);
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant']);
  });

  it('may be API responses', async () => {
    const usage = { input_tokens: 1, output_tokens: 2 };
    const response = { id: 'msg_1', type: 'message', model: 'claude-x', ...assistant, usage };
    const { sessions, messages } = await readTranscript(linesOf(user, response));
    expect(sessions[0]?.model).toBe('claude-x');
    expect(messages[1]).toMatchObject({ id: 'msg_1', model: 'claude-x', usage: { outputTokens: 2 } });
  });

  it('report elements that are not messages', async () => {
    const transcript = await readTranscript(
      linesOf(user, { content: 'whose?' }, { role: 'user' }, assistant),
    );
    expect(transcript.skipped).toEqual([2, 3]);
    expect(transcript.messages).toHaveLength(2);
  });

  it('that are documents form one session each', async () => {
    const { sessions } = await readTranscript(linesOf({ messages: [user] }, { messages: [user] }));
    expect(sessions.map(({ id }) => id.replace(/[0-9a-f]{8}$/, '#'))).toEqual(['some-#', 'some-2-#']);
  });
});

describe('a call or result in a non-standard form', () => {
  it('is read as a call or result', async () => {
    const calls = ['{"a":1}', '', null].map((input, at) => ({
      type: 'tool_use',
      id: `c${at}`,
      name: 'f',
      input,
    }));
    const results = [null, ['a', text('b')], text('c')].map((content, at) => ({
      ...{ type: 'tool_result', tool_use_id: `c${at}`, content },
    }));
    const { messages } = await readTranscript(
      JSON.stringify([assistant, { role: 'assistant', content: calls }, { role: 'user', content: results }]),
    );
    expect(messages[1]?.blocks).toMatchObject([
      { type: 'tool_use', input: { a: 1 } },
      { type: 'tool_use', input: {} },
      { type: 'tool_use', input: {} },
    ]);
    expect(messages[2]?.blocks).toEqual([
      { type: 'tool_result', tool_use_id: 'c0' },
      { type: 'tool_result', tool_use_id: 'c1', content: [text('a'), text('b')] },
      { type: 'tool_result', tool_use_id: 'c2', content: [text('c')] },
    ]);
  });
});
