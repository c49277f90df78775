import {
  answer,
  type Disturbance,
  type FailureName,
  fail,
  OpenAiServer,
  refusal,
} from '@app/testing/providers';
import type OpenAI from 'openai';
import { APIError } from 'openai';
import { openAiClient } from './support/openai.js';

const MODEL = 'gpt-5.4';
const chat = { model: MODEL, messages: [{ role: 'user' as const, content: 'Hello' }] };
const response = { model: MODEL, input: 'Hello' };
const long = answer('word '.repeat(40));
const caught = (promise: PromiseLike<unknown>): Promise<unknown> =>
  Promise.resolve(promise).then(
    () => undefined,
    (error: unknown) => error,
  );

describe('failures of the OpenAI server', () => {
  let server: OpenAiServer;
  let client: OpenAI;
  beforeAll(async () => {
    server = await OpenAiServer.start({ windows: { [MODEL]: 1_000 } });
    client = openAiClient(server.url);
  });
  afterAll(() => server.close());
  beforeEach(() => server.forget());
  const chunksOf = async (): Promise<OpenAI.Chat.ChatCompletionChunk[]> => {
    const all = [];
    for await (const chunk of await client.chat.completions.create({ ...chat, stream: true }))
      all.push(chunk);
    return all;
  };
  const eventsOf = async (): Promise<string[]> => {
    const all = [];
    for await (const { type } of await client.responses.create({ ...response, stream: true })) all.push(type);
    return all;
  };

  const classes: readonly (readonly [FailureName, string, object])[] = [
    ['overflow', 'BadRequestError', { code: 'context_length_exceeded', type: 'invalid_request_error' }],
    ['unauthorized', 'AuthenticationError', { code: 'invalid_api_key' }],
    ['forbidden', 'PermissionDeniedError', { status: 403 }],
    ['not-found', 'NotFoundError', { status: 404 }],
    ['rate-limited', 'RateLimitError', { code: 'rate_limit_exceeded' }],
    ['quota-exhausted', 'RateLimitError', { code: 'insufficient_quota' }],
    ['server-error', 'InternalServerError', { status: 500 }],
    ['overloaded', 'InternalServerError', { status: 503 }],
    ['gateway-timeout', 'InternalServerError', { status: 504 }],
    ['too-large', 'APIError', { status: 413, error: undefined }],
    ['bad-gateway', 'InternalServerError', { status: 502, error: undefined }],
    ['hangs-up', 'APIConnectionError', { status: undefined }],
  ];
  it.each(classes)('%s is a %s in both APIs', async (failure, name, shown) => {
    server.reply(fail(failure), fail(failure));
    const errors = [
      await caught(client.chat.completions.create(chat)),
      await caught(client.responses.create({ ...response, stream: true })),
    ];
    for (const error of errors) {
      expect(error).toBeInstanceOf(APIError);
      expect(Object(error).constructor.name).toBe(name);
      expect(error).toMatchObject(shown);
    }
  });

  it('an overflow has each API’s error text', async () => {
    server.reply(fail('overflow'), fail('overflow'));
    await expect(client.chat.completions.create(chat)).rejects.toThrow(
      'maximum context length is 1000 tokens',
    );
    await expect(client.responses.create(response)).rejects.toThrow('Your input exceeds the context window');
  });

  it('a 429 has a retry-after header', async () => {
    server.reply(fail('rate-limited', { retryAfter: { seconds: 7 } }));
    const error = await caught(client.responses.create(response));
    expect(error instanceof APIError && error.headers?.get('retry-after')).toBe('7');
  });

  it.each<[FailureName]>([['half-json'], ['html'], ['empty-body']])(
    '%s is not an answer',
    async (failure) => {
      server.reply(fail(failure));
      const got = await client.chat.completions.create(chat).catch(() => undefined);
      expect(Object(got).choices).toBeUndefined();
    },
  );

  it.each(['cut', 'garbage'] as const)('a stream that is %s throws', async (kind) => {
    server.reply(
      { ...long, disturbance: { kind, afterEvents: 3 } },
      { ...long, disturbance: { kind, afterEvents: 3 } },
    );
    expect(await caught(chunksOf())).toBeDefined();
    expect(await caught(eventsOf())).toBeDefined();
  });

  it('a stream that ends early ends without an error, and without a final event', async () => {
    const disturbance: Disturbance = { kind: 'end', afterEvents: 3 };
    server.reply({ ...long, disturbance }, { ...long, disturbance });
    expect((await chunksOf()).map(({ choices }) => choices[0]?.finish_reason)).toEqual([null, null, null]);
    expect(await eventsOf()).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
    ]);
  });

  it('an error within a stream is each API’s error event', async () => {
    const disturbance: Disturbance = { kind: 'error', afterEvents: 3, failure: 'overflow' };
    server.reply({ ...long, disturbance }, { ...long, disturbance }, { ...long, disturbance });
    expect(await caught(chunksOf())).toMatchObject({ code: 'context_length_exceeded' });
    expect((await eventsOf()).slice(-2)).toEqual(['error', 'response.failed']);
    expect(await caught(client.responses.create(response))).toMatchObject({ status: 400 });
  });

  it('an error within a Responses stream may be nested, which throws, or a failed response only', async () => {
    const error = { kind: 'error', afterEvents: 3, failure: 'rate-limited' } as const;
    server.reply({ ...long, disturbance: { ...error, form: 'nested' } });
    expect(await caught(eventsOf())).toMatchObject({ code: 'rate_limit_exceeded' });
    server.reply({ ...long, disturbance: { ...error, form: 'failed' } });
    expect((await eventsOf()).slice(-2)).toEqual(['response.output_item.added', 'response.failed']);
  });

  it('a stalled stream ends when the client disconnects, which the server notices', async () => {
    server.reply({ ...long, disturbance: { kind: 'stall', afterEvents: 3 } });
    const stream = await client.responses.create({ ...response, stream: true });
    for await (const { type } of stream) if (type === 'response.output_item.added') stream.controller.abort();
    expect(await server.requests[0]?.ended).toBe('left');
  });

  it('a slow answer is complete, wherever its bytes are split', async () => {
    const text = 'Grüße, 世界🎉 '.repeat(8);
    const slow = { ...answer(text), disturbance: { kind: 'drip', bytes: 11, everyMs: 0 } as const };
    server.reply(slow, slow);
    const chunks = await chunksOf();
    expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('')).toBe(text);
    expect((await client.responses.stream(response).finalResponse()).output_text).toBe(text);
  });

  it('an answer that is cut off or refused says so', async () => {
    const cut = { ...long, stop: 'max-tokens' as const };
    server.reply(cut, cut, answer(refusal('No.')), answer(refusal('No.')), answer());
    expect((await client.chat.completions.create(chat)).choices[0]?.finish_reason).toBe('length');
    const incomplete = await client.responses.stream(response).finalResponse();
    expect(incomplete).toMatchObject({
      status: 'incomplete',
      incomplete_details: { reason: 'max_output_tokens' },
    });
    expect((await client.chat.completions.create(chat)).choices[0]?.message.refusal).toBe('No.');
    const refused = await client.responses.stream(response).finalResponse();
    expect(refused.output).toMatchObject([{ content: [{ type: 'refusal', refusal: 'No.' }] }]);
    expect((await client.chat.completions.create(chat)).choices[0]?.message.content).toBeNull();
  });
});
