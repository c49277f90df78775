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
  it('carries the key, and what goes into the path is encoded', async () => {
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

  it('goes below the path that the URL names', async () => {
    const { server } = await against([json(200, {})]);
    const below = new Transport({ url: `${server.url}/palimpsest/`, apiKey: 'k' });
    await below.send('GET', path`/v1/sessions`);
    expect(server.received[0]?.path).toBe('/palimpsest/v1/sessions');
  });

  it('is refused with code, status, detail and faults', async () => {
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

  it('asks for a revision in If-Match', async () => {
    const { server, transport } = await against([json(200, {})]);
    await transport.send('POST', PATH, {}, { ifMatch: 7 });
    expect(server.received[0]?.headers['if-match']).toBe('"7"');
  });
});

describe('a failure that passes', () => {
  it.each([
    ['a refusal for the time being', problem(503, 'event-store-unavailable')],
    ['too many requests', problem(429, 'rate-limited')],
    ['a proxy without a service behind it', (response) => void response.writeHead(502).end('<html>')],
    ['a connection that breaks', hangUp],
  ] satisfies [string, Reaction][])(
    'is followed by the same write under the same key: %s',
    async (_, reaction) => {
      const { server, transport, waits } = await against([reaction, reaction, json(200, { done: true })]);
      expect(await transport.send('POST', PATH, { body: { a: 1 } })).toEqual({ done: true });
      expect(server.received.map(({ headers, body }) => [headers['idempotency-key'], body])).toEqual(
        Array.from({ length: 3 }, () => ['key-1', '{"a":1}']),
      );
      expect(waits).toEqual([250, 500]);
    },
  );

  it('is waited out for as long as the service asks for', async () => {
    const { transport, waits } = await against([
      problem(429, 'rate-limited', { 'retry-after': '3' }),
      json(200, {}),
    ]);
    await transport.send('GET', PATH);
    expect(waits).toEqual([3_250]);
  });

  it('is waited out where the first request of the same key has not ended, or its process has', async () => {
    const { server, transport, waits } = await against([
      problem(409, 'request-in-progress', { 'retry-after': '9' }),
      json(200, { done: true }),
    ]);
    expect(await transport.send('POST', PATH)).toEqual({ done: true });
    expect(server.received).toHaveLength(2);
    expect(waits).toEqual([9_250]);
  });

  it('is handed on where the service asks for more than a minute', async () => {
    const { transport, waits } = await against([problem(429, 'rate-limited', { 'retry-after': '61' })]);
    expect(await failureOf(transport.send('GET', PATH))).toMatchObject({ retryAfterMs: 61_000, attempts: 1 });
    expect(waits).toEqual([]);
  });

  it('is handed on after as many retries as were allowed', async () => {
    const { server, transport } = await against([problem(503, 'postgres-unavailable')], { retries: 2 });
    expect(await failureOf(transport.send('GET', PATH))).toMatchObject({
      code: 'postgres-unavailable',
      attempts: 3,
    });
    expect(server.received).toHaveLength(3);
  });

  it('takes the key that the caller has given', async () => {
    const { server, transport } = await against([hangUp, json(200, {})]);
    await transport.send('POST', PATH, {}, { idempotencyKey: 'mine' });
    expect(server.received.map(({ headers }) => headers['idempotency-key'])).toEqual(['mine', 'mine']);
  });
});

describe('a failure that stays', () => {
  it.each([
    [404, 'session-not-found'],
    [409, 'message-conflict'],
    [500, 'internal'],
    [504, 'compaction-timed-out'],
  ])('is not tried again: %d %s', async (status, code) => {
    const { server, transport } = await against([problem(status, code)]);
    expect(await failureOf(transport.send('POST', PATH, {}))).toMatchObject({ status, code });
    expect(server.received).toHaveLength(1);
  });

  it.each([
    ['another service', (response) => void response.writeHead(404).end('<html>not here</html>')],
    ['a page in place of JSON', (response) => void response.writeHead(200).end('<html>hello</html>')],
    ['a service that points elsewhere', (response) => void response.writeHead(302, { location: '/' }).end()],
  ] satisfies [string, Reaction][])('says that something else answers: %s', async (_, reaction) => {
    const { transport } = await against([reaction]);
    expect(await failureOf(transport.send('GET', PATH))).toMatchObject({ code: 'unexpected-answer' });
  });

  it('says that nobody answers, and names neither key nor path', async () => {
    const { server, transport } = await against([], { retries: 0 });
    server.stop();
    const { code, status, message } = await failureOf(transport.send('GET', PATH));
    expect({ code, status }).toEqual({ code: 'service-unreachable', status: undefined });
    expect(message).toContain('ECONNREFUSED');
    expect(message).not.toMatch(/pal_key|sessions/);
  });
});

describe('a call that takes too long', () => {
  it('is given up, and made again', async () => {
    const { transport } = await against([silence, json(200, { late: false })], { timeoutMs: 50 });
    expect(await transport.send('GET', PATH)).toEqual({ late: false });
  });

  it('ends with the reason of the signal that cancels it', async () => {
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

  it('is cancelled while it waits for the next attempt', async () => {
    const cancelling = new AbortController();
    const server = await ScriptedServer.start(problem(429, 'rate-limited', { 'retry-after': '50' }));
    servers.push(server);
    const transport = new Transport({ url: server.url, apiKey: 'k' });
    const call = transport.send('GET', PATH, {}, { signal: cancelling.signal });
    setImmediate(() => cancelling.abort(new Error('enough')));
    await expect(call).rejects.toThrow('enough');
  });
});
