import type { JsonObject } from '@app/kernel';
import { OpenAiServer } from '@app/testing/providers';
import type OpenAI from 'openai';
import { openAiClient } from './support/openai.js';

const user = { role: 'user', content: 'Hello' };
const calling = (...ids: readonly string[]): JsonObject => ({
  ...{ role: 'assistant', content: null },
  tool_calls: ids.map((id) => ({ id, type: 'function', function: { name: 'read', arguments: '{}' } })),
});
const tool = (id: string): JsonObject => ({ role: 'tool', tool_call_id: id, content: 'done' });
const messages = (...all: readonly JsonObject[]): JsonObject => ({ messages: all });
const input = (...all: readonly JsonObject[]): JsonObject => ({ input: all });
const functionCall = (id: string, more: JsonObject = {}): JsonObject => ({
  ...{ type: 'function_call', call_id: id, name: 'read', arguments: '{}', ...more },
});
const output = (id: string): JsonObject => ({ type: 'function_call_output', call_id: id, output: 'done' });

describe('validation of the OpenAI server', () => {
  let server: OpenAiServer;
  let client: OpenAI;
  beforeAll(async () => {
    server = await OpenAiServer.start({ windows: { 'gpt-4o': 5_000 } });
    client = openAiClient(server.url);
  });
  afterAll(() => server.close());

  const refusalOf = (path: string, body: JsonObject): Promise<JsonObject | undefined> =>
    client.post(path, { body: { model: 'gpt-5.4', ...body } }).then(
      () => undefined,
      (error: unknown) => {
        const { status, code, message } = Object(error);
        return { status, code, message };
      },
    );

  const brokenChats: readonly (readonly [string, JsonObject, string, string | null])[] = [
    ['no messages', messages(), "Invalid 'messages': empty array.", 'empty_array'],
    [
      'an unknown role',
      messages({ role: 'bot', content: 'x' }),
      "Invalid value: 'bot'. Supported",
      'invalid_value',
    ],
    [
      'a user message without content',
      messages({ role: 'user', content: null }),
      "Invalid value for 'content'",
      null,
    ],
    [
      'an unanswered call',
      messages(user, calling('c1', 'c2'), tool('c1'), user),
      "must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: c2",
      null,
    ],
    ['a call in the last message', messages(user, calling('c1')), 'did not have response messages: c1', null],
    [
      'an answer without a call',
      messages(user, tool('c1')),
      'must be a response to a preceeding message with',
      null,
    ],
    [
      'an answer to another call',
      messages(user, calling('c1'), tool('c1'), tool('c2')),
      "'tool_call_id' of 'c2' not found",
      null,
    ],
    [
      'an id above the maximum length',
      messages(user, calling('c'.repeat(41)), tool('c'.repeat(41))),
      'Expected a string with maximum length 40, but got a string with length 41 instead.',
      'string_above_max_length',
    ],
    [
      'an empty list of calls',
      messages(user, { role: 'assistant', content: 'x', tool_calls: [] }),
      'empty array',
      'empty_array',
    ],
    [
      'an unknown member',
      messages({ ...user, reasoning_content: 'x' }),
      "Unknown parameter: 'messages[0].reas",
      'unknown_parameter',
    ],
    [
      'an unknown argument',
      { ...messages(user), thinking: {} },
      'Unrecognized request argument supplied: thinking',
      null,
    ],
    [
      'the legacy name of the output limit',
      { ...messages(user), max_tokens: 9 },
      "Use 'max_completion_tokens'",
      'unsupported_parameter',
    ],
    [
      'sampling parameters for a reasoning model',
      { ...messages(user), temperature: 0 },
      "'temperature' does not support 0",
      'unsupported_value',
    ],
    [
      'an image in an assistant message',
      messages(user, { role: 'assistant', content: [{ type: 'image_url' }] }, user),
      'Supported values',
      'invalid_value',
    ],
    [
      'a tool choice without tools',
      { ...messages(user), tool_choice: 'auto' },
      "only allowed when 'tools' are specified",
      null,
    ],
    [
      'an empty list of tools',
      { ...messages(user), tools: [] },
      "Invalid 'tools': empty array.",
      'empty_array',
    ],
    [
      'an input above the window',
      { model: 'gpt-4o', ...messages({ ...user, content: 'x'.repeat(20_100) }) },
      'maximum context length is 5000 tokens',
      'context_length_exceeded',
    ],
  ];
  it.each(brokenChats)('rejects in Chat Completions: %s', async (_, body, message, code) => {
    const refusal = await refusalOf('/chat/completions', body);
    expect(refusal).toMatchObject({ status: 400, code });
    expect(refusal?.message).toContain(message);
  });

  const brokenResponses: readonly (readonly [string, JsonObject, string, string | null])[] = [
    ['no input', {}, 'must be provided', 'missing_required_parameter'],
    [
      'a call without its output',
      input(user, functionCall('c1')),
      'No tool output found for function call c1.',
      null,
    ],
    [
      'an output without its call',
      input(user, output('c1')),
      'No tool call found for function call output with call_id c1.',
      null,
    ],
    ['an output before its call', input(user, output('c1'), functionCall('c1')), 'No tool call found', null],
    [
      'an id of another kind',
      input(functionCall('c1', { id: 'call_1' }), output('c1')),
      "begins with 'fc'",
      'invalid_value',
    ],
    [
      'foreign reasoning',
      input(user, { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'gAAAAAx.y' }),
      'could not be verified',
      'invalid_encrypted_content',
    ],
    [
      'a foreign compaction',
      input({ type: 'compaction', encrypted_content: 'x' }, user),
      'could not be verified',
      'invalid_encrypted_content',
    ],
    [
      'input text in an assistant message',
      input({ role: 'assistant', content: [{ type: 'input_text', text: 'x' }] }),
      "'output_text', 'refusal'",
      'invalid_value',
    ],
    [
      'a trigger that is not last',
      input({ type: 'compaction_trigger' }, user),
      'must be the last item',
      null,
    ],
    [
      'an unknown parameter',
      { ...input(user), messages: [] },
      "Unknown parameter: 'messages'.",
      'unknown_parameter',
    ],
    [
      'a missing response',
      { ...input(user), previous_response_id: 'resp_x' },
      "Previous response with id 'resp_x' not found.",
      'previous_response_not_found',
    ],
    [
      'two kinds of conversation state',
      { ...input(user), previous_response_id: 'resp_x', conversation: 'c' },
      'Mutually exclusive',
      'mutually_exclusive_parameters',
    ],
    [
      'an output limit below the minimum',
      { ...input(user), max_output_tokens: 5 },
      'Expected a value >= 16',
      'integer_below_min_value',
    ],
    [
      'a tool choice that requires tools, without any',
      { ...input(user), tools: [], tool_choice: 'required' },
      "only allowed when 'tools' are specified",
      null,
    ],
    [
      'an input above the window',
      { model: 'gpt-4o', input: 'x'.repeat(20_100) },
      'exceeds the context window',
      'context_length_exceeded',
    ],
  ];
  it.each(brokenResponses)('rejects in Responses: %s', async (_, body, message, code) => {
    const refusal = await refusalOf('/responses', body);
    expect(refusal).toMatchObject({ status: 400, code });
    expect(refusal?.message).toContain(message);
  });

  it('rejects an unknown model, path, item or key', async () => {
    expect(await refusalOf('/responses', { model: 'gpt-9', input: 'x' })).toMatchObject({
      status: 404,
      code: 'model_not_found',
    });
    expect(await refusalOf('/answers', {})).toMatchObject({ status: 404 });
    const gone = input({ type: 'reasoning', id: 'rs_1', summary: [] }, user);
    expect(await refusalOf('/responses', gone)).toMatchObject({ status: 404 });
    const guarded = await OpenAiServer.start({ key: 'right' });
    await expect(openAiClient(guarded.url).models.list()).rejects.toMatchObject({
      status: 401,
      code: 'invalid_api_key',
    });
    await expect(
      openAiClient(guarded.url, { apiKey: 'right' }).models.retrieve('gpt-5.4'),
    ).resolves.toMatchObject({ id: 'gpt-5.4' });
    await guarded.close();
  });

  it('accepts answered calls, also with text beside them', async () => {
    expect(
      await refusalOf('/chat/completions', messages(user, calling('c1', 'c2'), tool('c2'), tool('c1'), user)),
    ).toBeUndefined();
    expect(
      await refusalOf(
        '/responses',
        input(user, functionCall('c1'), functionCall('c2'), output('c2'), output('c1')),
      ),
    ).toBeUndefined();
  });

  it('accepts an empty list of tools in Responses, as agents without tools send it', async () => {
    expect(await refusalOf('/responses', { ...input(user), tools: [], tool_choice: 'auto' })).toBeUndefined();
  });
});
