import { answer, call, OpenAiServer, thinking } from '@app/testing/providers';
import type OpenAI from 'openai';
import { openAiClient } from './support/openai.js';

const MODEL = 'gpt-5.4';
const messages = [{ role: 'user' as const, content: 'Hello' }];

describe('answers of the OpenAI server', () => {
  let server: OpenAiServer;
  let client: OpenAI;
  beforeAll(async () => {
    server = await OpenAiServer.start();
    client = openAiClient(server.url);
  });
  afterAll(() => server.close());
  beforeEach(() => server.forget());

  it('are complete chat completions', async () => {
    server.reply(answer('Grüße', call('read', { path: 'a' }, 'call_7'), call('list')));
    const { choices, usage } = await client.chat.completions.create({ model: MODEL, messages });
    expect(choices).toMatchObject([{ finish_reason: 'tool_calls', message: { content: 'Grüße' } }]);
    expect(choices[0]?.message.tool_calls).toMatchObject([
      { id: 'call_7', function: { name: 'read', arguments: '{"path":"a"}' } },
      { type: 'function', function: { name: 'list', arguments: '{}' } },
    ]);
    expect(usage).toEqual(server.requests[0]?.usage);
  });

  it('are the same chat completions when streamed', async () => {
    const text = 'Two files. 世界🎉 '.repeat(9);
    server.reply(answer(text, call('read', { path: 'ä' }), call('list')));
    const stream = client.chat.completions.stream({
      ...{ model: MODEL, messages, stream_options: { include_usage: true } },
    });
    const { choices, usage } = await stream.finalChatCompletion();
    expect(choices[0]?.message).toMatchObject({ content: text });
    expect(choices[0]?.message.tool_calls).toMatchObject([
      { function: { name: 'read', arguments: '{"path":"ä"}' } },
      { function: { name: 'list', arguments: '{}' } },
    ]);
    expect(usage).toEqual(server.requests[0]?.usage);
  });

  it('are complete responses, streamed or not', async () => {
    const said = answer(thinking('Hm.'), 'Grüße 世界 '.repeat(9), call('read', { path: 'ä' }));
    server.reply(said, said);
    const include = ['reasoning.encrypted_content' as const];
    const whole = await client.responses.create({ model: MODEL, input: 'Hello', include, store: false });
    const stream = client.responses.stream({ model: MODEL, input: 'Hello', include, store: false });
    const streamed = await stream.finalResponse();
    expect(whole.output).toMatchObject([
      { type: 'reasoning', summary: [{ text: 'Hm.' }], encrypted_content: expect.stringMatching(/^gAAAAA/) },
      { type: 'message', content: [{ text: 'Grüße 世界 '.repeat(9) }] },
      { type: 'function_call', name: 'read', arguments: '{"path":"ä"}' },
    ]);
    expect(whole.output_text).toBe('Grüße 世界 '.repeat(9));
    expect(streamed.output_text).toBe(whole.output_text);
    expect(streamed.output.map(({ type }) => type)).toEqual(whole.output.map(({ type }) => type));
    expect(streamed.usage).toMatchObject({ total_tokens: whole.usage?.total_tokens });
  });
});
