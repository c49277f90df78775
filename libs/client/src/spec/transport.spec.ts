import { afterEach, describe, expect, it } from '@jest/globals';
import { PalimpsestError } from '../transport/errors.js';
import { path } from '../transport/path.js';
import { type ClientOptions, Transport } from '../transport/transport.js';
import { hangUp, json, problem, type Reaction, ScriptedServer, silence } from './scripted-server.js';

const PATH = path`/v1/sessions/${'a/b'}`;
const servers: ScriptedServer[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.stop();
});

/** A transport on a server that reacts so; it waits in no time, and notes how long it would have waited. */
const against = async (script: readonly Reaction[], options: Partial<ClientOptions> = {}) => {
  const server = await ScriptedServer.start(...script);
  servers.push(server);
  const waits: number[] = [];
  let keys = 0;
  const transport = new Transport(
    { url: server.url, apiKey: 'pal_key', ...options },
    {
      pause: async (ms) => void waits.push(ms),
      random: () => 1,
      newKey: () => `key-${++keys}`,
    },
  );
  return { server, transport, waits };
};

const failureOf = (call: Promise<unknown>): Promise<PalimpsestError> =>
  call.then(
    () => Promise.reject(new Error('it was answered')),
    (error: unknown) => {
      if (error instanceof PalimpsestError) return error;
      throw error;
    },
  );

describe('a call', () => {
  it('sends the key and encodes path parameters', async () => {
    const { server, transport } = await against([json(200, { fine: true })]);
    expect(
      await transport.send('GET', PATH, { query: { limit: 5, type: ['A', 'B'], not: undefined } }),
    ).toEqual({
      fine: true,
    });
    expect(server.received).toMatchObject([
      {
        method: 'GET',
        path: '/v1/sessions/a%2Fb?limit=5&type=A&type=B',
        headers: { authorization: 'Bearer pal_key' },
      },
    ]);
    expect(server.received[0]?.headers).not.toHaveProperty('idempotency-key');
  });

  it('keeps the path of the base URL', async () => {
    const { server } = await against([json(200, {})]);
    const below = new Transport({ url: `${server.url}/palimpsest/`, apiKey: 'k' });
    await below.send('GET', path`/v1/sessions`);
    expect(server.received[0]?.path).toBe('/palimpsest/v1/sessions');
  });

  it('throws code, status, detail and faults of a rejection', async () => {
    const faults = [{ at: 'window', problem: 'no number' }];
    const { transport } = await against([json(400, { code: 'invalid-request', detail: 'wrong', faults })]);
    const { code, status, detail, attempts, ...error } = await failureOf(
      transport.send('POST', PATH, { body: {} }),
    );
    expect({ code, status, detail, attempts, faults: error.faults }).toEqual({
      code: 'invalid-request',
      status: 400,
      detail: 'wrong',
      attempts: 1,
      faults,
    });
  });

  it('sends the expected revision in If-Match', async () => {
    const { server, transport } = await against([json(200, {})]);
    await transport.send('POST', PATH, {}, { ifMatch: 7 });
    expect(server.received[0]?.headers['if-match']).toBe('"7"');
  });
});

describe('a transient failure', () => {
  it.each([
    ['a refusal for the time being', problem(503, 'event-store-unavailable')],
    ['too many requests', problem(429, 'rate-limited')],
    ['a proxy without a service behind it', (response) => void response.writeHead(502).end('<html>')],
    ['a connection that breaks', hangUp],
  ] satisfies [string, Reaction][])('is retried with the same idempotency key: %s', async (_, reaction) => {
    const { server, transport, waits } = await against([reaction, reaction, json(200, { done: true })]);
    expect(await transport.send('POST', PATH, { body: { a: 1 } })).toEqual({ done: true });
    expect(server.received.map(({ headers, body }) => [headers['idempotency-key'], body])).toEqual(
      Array.from({ length: 3 }, () => ['key-1', '{"a":1}']),
    );
    expect(waits).toEqual([250, 500]);
  });

  it('is retried after the delay that the service requests', async () => {
    const { transport, waits } = await against([
      problem(429, 'rate-limited', { 'retry-after': '3' }),
      json(200, {}),
    ]);
    await transport.send('GET', PATH);
    expect(waits).toEqual([3_250]);
  });

  it('is retried while the first request of its key is running or its process is lost', async () => {
    const { server, transport, waits } = await against([
      problem(409, 'request-in-progress', { 'retry-after': '9' }),
      json(200, { done: true }),
    ]);
    expect(await transport.send('POST', PATH)).toEqual({ done: true });
    expect(server.received).toHaveLength(2);
    expect(waits).toEqual([9_250]);
  });

  it('is thrown if the requested delay exceeds a minute', async () => {
    const { transport, waits } = await against([problem(429, 'rate-limited', { 'retry-after': '61' })]);
    expect(await failureOf(transport.send('GET', PATH))).toMatchObject({ retryAfterMs: 61_000, attempts: 1 });
    expect(waits).toEqual([]);
  });

  it('is thrown after the configured number of retries', async () => {
    const { server, transport } = await against([problem(503, 'postgres-unavailable')], { retries: 2 });
    expect(await failureOf(transport.send('GET', PATH))).toMatchObject({
      code: 'postgres-unavailable',
      attempts: 3,
    });
    expect(server.received).toHaveLength(3);
  });

  it('is retried with the key of the caller', async () => {
    const { server, transport } = await against([hangUp, json(200, {})]);
    await transport.send('POST', PATH, {}, { idempotencyKey: 'mine' });
    expect(server.received.map(({ headers }) => headers['idempotency-key'])).toEqual(['mine', 'mine']);
  });

  it('leaves a write that is never retried without a key, except that of the caller', async () => {
    const { server, transport } = await against([json(200, {}), json(200, {})], { retries: 0 });
    await transport.send('POST', PATH);
    await transport.send('POST', PATH, {}, { idempotencyKey: 'mine' });
    expect(server.received.map(({ headers }) => headers['idempotency-key'])).toEqual([undefined, 'mine']);
  });
});

describe('a permanent failure', () => {
  it.each([
    [404, 'session-not-found'],
    [409, 'message-conflict'],
    [500, 'internal'],
    [504, 'compaction-timed-out'],
  ])('is not retried: %d %s', async (status, code) => {
    const { server, transport } = await against([problem(status, code)]);
    expect(await failureOf(transport.send('POST', PATH, {}))).toMatchObject({ status, code });
    expect(server.received).toHaveLength(1);
  });

  it.each([
    ['another service', (response) => void response.writeHead(404).end('<html>not here</html>')],
    ['a page in place of JSON', (response) => void response.writeHead(200).end('<html>hello</html>')],
    ['a service that points elsewhere', (response) => void response.writeHead(302, { location: '/' }).end()],
  ] satisfies [string, Reaction][])('names a response from another server: %s', async (_, reaction) => {
    const { transport } = await against([reaction]);
    expect(await failureOf(transport.send('GET', PATH))).toMatchObject({ code: 'unexpected-answer' });
  });

  it('names an unreachable service without key and path', async () => {
    const { server, transport } = await against([], { retries: 0 });
    server.stop();
    const { code, status, message } = await failureOf(transport.send('GET', PATH));
    expect({ code, status }).toEqual({ code: 'service-unreachable', status: undefined });
    expect(message).toContain('ECONNREFUSED');
    expect(message).not.toMatch(/pal_key|sessions/);
  });
});

describe('a call that times out', () => {
  it('is aborted and retried', async () => {
    const { transport } = await against([silence, json(200, { late: false })], { timeoutMs: 50 });
    expect(await transport.send('GET', PATH)).toEqual({ late: false });
  });

  it('ends with the reason of its signal', async () => {
    const cancelling = new AbortController();
    const { server, transport } = await against([() => cancelling.abort(new Error('no longer wanted'))]);
    await expect(transport.send('POST', PATH, {}, { signal: cancelling.signal })).rejects.toThrow(
      'no longer wanted',
    );
    await expect(transport.send('POST', PATH, {}, { signal: cancelling.signal })).rejects.toThrow(
      'no longer wanted',
    );
    expect(server.received).toHaveLength(1);
  });

  it('can be cancelled between two attempts', async () => {
    const cancelling = new AbortController();
    const server = await ScriptedServer.start(problem(429, 'rate-limited', { 'retry-after': '50' }));
    servers.push(server);
    const transport = new Transport({ url: server.url, apiKey: 'k' });
    const call = transport.send('GET', PATH, {}, { signal: cancelling.signal });
    setImmediate(() => cancelling.abort(new Error('enough')));
    await expect(call).rejects.toThrow('enough');
  });
});
