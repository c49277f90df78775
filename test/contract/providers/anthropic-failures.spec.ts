import Anthropic, { APIError, RateLimitError } from '@anthropic-ai/sdk';
import { AnthropicServer, answer, type Disturbance, type FailureName, fail } from '@app/testing/providers';
import { anthropicClient } from './support/anthropic.js';

const asked = {
  model: 'claude-opus-4-6',
  max_tokens: 100,
  messages: [{ role: 'user' as const, content: 'Hello' }],
};
const caught = (promise: PromiseLike<unknown>): Promise<unknown> =>
  Promise.resolve(promise).then(
    () => undefined,
    (error: unknown) => error,
  );

describe('failures of the Anthropic server', () => {
  let server: AnthropicServer;
  let client: Anthropic;
  beforeAll(async () => {
    server = await AnthropicServer.start({ windows: { 'claude-opus-4-6': 1_000 } });
    client = anthropicClient(server.url);
  });
  afterAll(() => server.close());
  beforeEach(() => server.forget());

  const classes: readonly (readonly [FailureName, string, object])[] = [
    ['overflow', 'BadRequestError', { apiMessage: 'prompt is too long: 1001 tokens > 1000 maximum' }],
    ['bad-request', 'BadRequestError', { type: 'invalid_request_error' }],
    ['unauthorized', 'AuthenticationError', { type: 'authentication_error' }],
    ['forbidden', 'PermissionDeniedError', { type: 'permission_error' }],
    ['not-found', 'NotFoundError', { type: 'not_found_error' }],
    ['rate-limited', 'RateLimitError', { type: 'rate_limit_error' }],
    ['quota-exhausted', 'RateLimitError', { type: 'rate_limit_error' }],
    ['server-error', 'InternalServerError', { status: 500, type: 'api_error' }],
    ['overloaded', 'OverloadedError', { status: 529, type: 'overloaded_error' }],
    ['gateway-timeout', 'GatewayTimeoutError', { status: 504, type: 'timeout_error' }],
    ['too-large', 'ContentTooLargeError', { status: 413, error: undefined }],
    ['bad-gateway', 'InternalServerError', { status: 502, error: undefined }],
    ['hangs-up', 'APIConnectionError', { status: undefined }],
  ];
  it.each(classes)('%s is a %s, streamed or not', async (failure, name, shown) => {
    server.reply(fail(failure), fail(failure));
    for (const error of [
      await caught(client.messages.create(asked)),
      await caught(client.messages.stream(asked).finalMessage()),
    ]) {
      expect(error).toBeInstanceOf(APIError);
      expect({ class: Object(error).constructor.name, ...Object(error) }).toMatchObject({ class: name });
      expect(error).toMatchObject(shown);
    }
  });

  it.each([
    [{ seconds: 2 }, { 'retry-after': '2' }],
    [{ seconds: 86_400 }, { 'retry-after': '86400' }],
    [{ milliseconds: 250 }, { 'retry-after-ms': '250' }],
    [{ date: new Date('2026-11-21T12:00:00Z') }, { 'retry-after': 'Sat, 21 Nov 2026 12:00:00 GMT' }],
  ])('a 429 has a retry-after header: %j', async (retryAfter, headers) => {
    server.reply(fail('rate-limited', { retryAfter }));
    const error = await caught(client.messages.create(asked));
    expect(error instanceof RateLimitError && Object.fromEntries(error.headers)).toMatchObject(headers);
  });

  it('an error is resolved by a second attempt if the client retries', async () => {
    server.reply(fail('overloaded', { retryAfter: { milliseconds: 1 } }), answer('there'));
    const { content } = await anthropicClient(server.url, { maxRetries: 1 }).messages.create(asked);
    expect(content).toMatchObject([{ text: 'there' }]);
    expect(server.requests.map(({ status }) => status)).toEqual([529, 200]);
  });

  it.each<[FailureName]>([['half-json'], ['html'], ['empty-body']])(
    '%s is not a message',
    async (failure) => {
      server.reply(fail(failure));
      const got = await client.messages.create(asked).catch(() => undefined);
      expect(Object(got).content).toBeUndefined();
    },
  );

  it('an unanswered request ends when the client disconnects, which the server notices', async () => {
    server.reply(fail('never-answers'));
    const leaving = new AbortController();
    const error = caught(client.messages.create(asked, { signal: leaving.signal }));
    await server.received(1);
    leaving.abort();
    expect(await error).toBeInstanceOf(Anthropic.APIUserAbortError);
    expect(await server.requests[0]?.ended).toBe('left');
  });

  const disturbances: readonly (readonly [string, Disturbance, object])[] = [
    ['is cut', { kind: 'cut', afterEvents: 4 }, Error],
    ['ends without its final event', { kind: 'end', afterEvents: 4 }, Anthropic.AnthropicError],
    ['contains an error', { kind: 'error', afterEvents: 4, failure: 'overloaded' }, Anthropic.APIError],
    ['contains garbage', { kind: 'garbage', afterEvents: 4 }, Error],
  ];
  it.each(disturbances)('a stream that %s is not a message', async (_, disturbance, error) => {
    server.reply({ ...answer('word '.repeat(40)), disturbance });
    await expect(client.messages.stream(asked).finalMessage()).rejects.toBeInstanceOf(error);
  });

  it('an error within a stream has its type', async () => {
    const disturbance = { kind: 'error', afterEvents: 3, failure: 'overloaded' } as const;
    server.reply({ ...answer('word '.repeat(40)), disturbance }, { ...answer('word'), disturbance });
    const within = await caught(client.messages.stream(asked).finalMessage());
    expect(within).toMatchObject({ status: undefined, type: 'overloaded_error' });
    expect(await caught(client.messages.create(asked))).toMatchObject({ status: 529 });
  });

  it('a truncated body is not a message', async () => {
    server.reply(
      { ...answer('word '.repeat(40)), disturbance: { kind: 'cut', afterEvents: 0 } },
      { ...answer('word '.repeat(40)), disturbance: { kind: 'end', afterEvents: 0 } },
    );
    expect(await caught(client.messages.create(asked))).toBeDefined();
    expect(await caught(client.messages.create(asked))).toBeDefined();
  });

  it('a stalled stream ends when the client disconnects', async () => {
    server.reply({ ...answer('word '.repeat(40)), disturbance: { kind: 'stall', afterEvents: 4 } });
    const stream = client.messages.stream(asked);
    const error = caught(stream.finalMessage());
    await new Promise((resolve) => stream.once('text', resolve));
    stream.abort();
    expect(await error).toBeInstanceOf(APIError);
    expect(await server.requests[0]?.ended).toBe('left');
  });

  it('a slow answer is complete, wherever its bytes are split', async () => {
    const text = 'Grüße, 世界🎉 '.repeat(8);
    server.reply({ ...answer(text), disturbance: { kind: 'drip', bytes: 7, everyMs: 0 } });
    server.reply({ ...answer(text), disturbance: { kind: 'drip', bytes: 7, everyMs: 0 } });
    const { content } = await client.messages.stream(asked).finalMessage();
    expect(content).toMatchObject([{ text }]);
    expect((await client.messages.create(asked)).content).toMatchObject([{ text }]);
  });

  it('an answer behind a gate is sent partly before the gate opens', async () => {
    let open: () => void = () => {};
    const until = new Promise<void>((resolve) => {
      open = resolve;
    });
    server.reply({ ...answer('word '.repeat(40)), disturbance: { kind: 'gate', afterEvents: 4, until } });
    const stream = client.messages.stream(asked);
    await new Promise((resolve) => stream.once('text', resolve));
    open();
    expect((await stream.finalMessage()).stop_reason).toBe('end_turn');
  });

  it('a request without a key or with a wrong one is rejected', async () => {
    const guarded = await AnthropicServer.start({ key: 'right' });
    const create = (more: object) => caught(anthropicClient(guarded.url, more).messages.create(asked));
    expect(await create({ apiKey: 'wrong' })).toMatchObject({ status: 401 });
    expect(await create({ apiKey: 'right' })).toBeUndefined();
    expect(await create({ apiKey: null, authToken: 'right' })).toBeUndefined();
    await guarded.close();
  });

  it('the end of the script is an error', async () => {
    const short = await AnthropicServer.start({ script: [] });
    const again = anthropicClient(short.url, { maxRetries: 2 });
    expect(await caught(again.messages.create(asked))).toMatchObject({
      apiMessage: 'the script is at its end',
    });
    expect(short.requests).toHaveLength(1);
    await short.close();
  });
});

it('both versions, both kinds of key, and the query of older clients are accepted', async () => {
  const server = await AnthropicServer.start({ key: 'right' });
  const headers = { 'content-type': 'application/json' };
  const post = (path: string, more: Record<string, string>) =>
    fetch(`${server.url}${path}`, {
      ...{ method: 'POST', headers: { ...headers, ...more }, body: JSON.stringify(asked) },
    }).then(({ status }) => status);
  const version = 'anthropic-version';
  expect(await post('/v1/messages?beta=true', { [version]: '2023-06-01', 'x-api-key': 'right' })).toBe(200);
  expect(await post('/v1/messages', { [version]: '2026-10-21', authorization: 'Bearer right' })).toBe(200);
  expect(await post('/v1/messages', { [version]: '2020-01-01', 'x-api-key': 'right' })).toBe(400);
  expect(await post('/v1/messages', { 'x-api-key': 'right' })).toBe(400);
  expect(await post('/v1/messages', { [version]: '2023-06-01' })).toBe(401);
  await server.close();
});
