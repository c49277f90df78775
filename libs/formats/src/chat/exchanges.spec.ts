import { linesOf, readTranscript } from '@app/testing';

const asked = { role: 'user', content: 'Go.' };
const said = { role: 'assistant', content: 'Done.' };
const completion = {
  ...{ id: 'chatcmpl-1', object: 'chat.completion', created: 1_700_000_000, model: 'gpt-x' },
  choices: [{ index: 0, message: { ...said, refusal: null }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 9, completion_tokens: 3, prompt_tokens_details: { cached_tokens: 4 } },
};
const answer = {
  ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'claude-x', stop_reason: 'end_turn' },
  content: [{ type: 'text', text: 'Done.' }],
  usage: { input_tokens: 3, output_tokens: 4 },
};
const request = { model: 'gpt-x', messages: [asked] };
const told = async (...records: readonly object[]) => {
  const { format, sessions, messages, skipped } = await readTranscript(linesOf(...records));
  return { format, sessions: sessions.length, skipped, roles: messages.map(({ role }) => role) };
};

describe('a recorded exchange with a provider API', () => {
  // Holds rule 11.17.
  it.each([
    ['a response', completion, ['assistant']],
    ['a request with its choices', { ...request, choices: completion.choices }, ['user', 'assistant']],
    ['a batch request', { custom_id: 'a', url: '/v1/chat/completions', body: request }, ['user']],
    ['a batch result', { custom_id: 'a', response: { status_code: 200, body: completion } }, ['assistant']],
    ['a logged pair', { request, response: completion }, ['user', 'assistant']],
    [
      'a logged HTTP exchange',
      { request: { url: 'x', body: JSON.stringify(request) }, response: { body: completion } },
      ['user', 'assistant'],
    ],
    ['an input and an output', { input: [asked], output: said, model: 'gpt-x' }, ['user', 'assistant']],
    ['inputs and outputs', { inputs: request, outputs: completion }, ['user', 'assistant']],
    ['a trajectory', { trajectory_id: 't', trajectory: [asked, said] }, ['user', 'assistant']],
    [
      'a serialized trajectory',
      { messages: JSON.stringify([asked, said]), tools: [] },
      ['user', 'assistant'],
    ],
  ])('is read from %s', async (_, record, roles) => {
    const read = await told(record, record);
    expect({ ...read, format: '' }).toEqual({
      ...{ format: '', sessions: 2, skipped: [] },
      roles: [...roles, ...roles],
    });
  });

  it.each([
    ['a batch request', { custom_id: 'a', params: { ...request, system: 'Be brief.' } }, ['user']],
    ['a batch result', { custom_id: 'a', result: { type: 'succeeded', message: answer } }, ['assistant']],
    ['a logged pair', { request: { ...request, system: 'x' }, response: answer }, ['user', 'assistant']],
  ])('of Anthropic’s API is read from %s', async (_, record, roles) => {
    expect(await told(record)).toEqual({ format: 'anthropic-messages', sessions: 1, skipped: [], roles });
  });

  // Holds rule 11.17.
  it('has the model, usage, id and time of the response', async () => {
    const { messages, sessions } = await readTranscript(JSON.stringify(completion));
    expect(sessions).toMatchObject([{ model: 'gpt-x' }]);
    expect(messages).toMatchObject([
      {
        ...{ id: 'chatcmpl-1', model: 'gpt-x', createdAt: '2023-11-14T22:13:20.000Z' },
        usage: { inputTokens: 5, cacheReadTokens: 4, outputTokens: 3 },
      },
    ]);
  });

  it('reports failed requests of a batch, and choices after the first', async () => {
    const [choice] = completion.choices;
    const failed = { custom_id: 'a', response: { status_code: 400, body: { error: {} } } };
    const read = await told({ ...completion, choices: [choice, choice] }, failed);
    expect(read).toMatchObject({ sessions: 1, skipped: [1, 2], roles: ['assistant'] });
  });

  it.each([
    ['answers of a survey', { question: 'q', choices: ['a', 'b'] }],
    ['an event with a response', { type: 'x', response: completion }],
    ['a conversation of another protocol', { conversations: [{ from: 'human', value: 'Go.' }] }],
  ])('is not detected in %s', async (_, record) => {
    await expect(told(record)).rejects.toThrow('is in no known format');
  });
});

describe('a message inside a record', () => {
  it('is read with the time of the message or the record', async () => {
    const { sessions, messages } = await readTranscript(
      linesOf(
        { timestamp: '2025-01-02T03:04:05Z', message: asked },
        { message: { ...said, created_at: 1_700_000_000 } },
      ),
    );
    expect(sessions).toHaveLength(1);
    expect(messages.map(({ role, createdAt }) => [role, createdAt])).toEqual([
      ['user', '2025-01-02T03:04:05.000Z'],
      ['assistant', '2023-11-14T22:13:20.000Z'],
    ]);
  });

  it('is reported if it is nested too deep, even in duplicates', async () => {
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
    const line = `{"role":"assistant","content":"a","tool_calls":${deep}}`;
    const { skipped } = await readTranscript(`${linesOf(asked)}${line}\n${line}\n${linesOf(said)}`, {
      chunkBytes: 10_000,
    });
    expect(skipped).toEqual([2, 3]);
  });
});
