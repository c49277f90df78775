import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApiServer, KEY } from '../support/api-server.js';
import { RawHttp } from '../support/raw-http.js';

const MIB = 1_048_576;
const PATH = '/v1/sessions/none/messages';
const GATEWAY = '/gateway/anthropic/v1/messages';
const json = (bytes: number) => ({ 'content-type': 'application/json', 'content-length': String(bytes) });
const keyed = { authorization: `Bearer ${KEY}` };

/** Guarantee: the API decides on a request by its headers, and no body blocks the process or fills its memory. */
describe('request bodies of the API', () => {
  let api: ApiServer;
  /** A body that never pauses for long and never ends, from the start of the tests on. */
  let slow: RawHttp;
  let drip: NodeJS.Timeout;
  const opened: RawHttp[] = [];
  beforeAll(async () => {
    api = await ApiServer.startAlone({
      // A loaded machine takes a second from the connection to its head.
      PALIMPSEST_HTTP_HEADERS_TIMEOUT_MS: '5000',
      PALIMPSEST_HTTP_BODY_IDLE_TIMEOUT_MS: '60000',
      PALIMPSEST_HTTP_BODY_TIMEOUT_MS: '20000',
      PALIMPSEST_HTTP_BODY_MEMORY_PER_TENANT_MB: '32',
      PALIMPSEST_HTTP_BODY_MEMORY_MB: '40',
    });
    slow = await open();
    slow.send('POST', PATH, { ...json(1_000), ...keyed }, '[');
    drip = setInterval(() => slow.socket.write(' '), 250);
  });
  afterAll(async () => {
    clearInterval(drip);
    for (const one of opened) one.close();
    await api.stop();
  });
  const open = async (): Promise<RawHttp> => {
    const one = await RawHttp.open(api.url);
    opened.push(one);
    return one;
  };

  it.each([
    ['POST', PATH, {}, 401],
    ['POST', PATH, { authorization: 'Bearer pal_unknown' }, 401],
    ['POST', '/v1/imports', { 'content-type': 'application/x-ndjson' }, 401],
    ['POST', GATEWAY, { 'x-api-key': 'pal_unknown' }, 401],
    ['PUT', '/v1/limits', {}, 401],
    ['POST', '/v1/nowhere', keyed, 404],
    ['POST', '/nowhere', {}, 404],
    ['POST', PATH, { ...keyed, 'content-length': String(17 * MIB) }, 413],
    ['POST', GATEWAY, { ...keyed, 'content-length': String(33 * MIB) }, 413],
  ])(
    'rejects %s %s with headers %j before reading the body with %i, and closes the connection',
    async (method, path, headers, status) => {
      const one = await open();
      one.send(method, path, { ...json(15 * MIB), ...headers });
      expect(await one.status()).toBe(status);
      expect((await one.whenClosed()).toLowerCase()).toContain('connection: close');
    },
  );

  it.each([
    ['POST', PATH],
    ['PUT', '/v1/limits'],
    ['POST', GATEWAY],
  ])('refuses a body that is not valid UTF-8: %s %s', async (method, path) => {
    const body = Buffer.concat([
      Buffer.from('{"text":"'),
      Buffer.from([0xed, 0xa0, 0x80]),
      Buffer.from('"}'),
    ]);
    const headers = { ...keyed, 'content-type': 'application/json' };
    const answer = await fetch(`${api.url}${path}`, { method, headers, body });
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain('it is not valid UTF-8');
  });

  it('sends no 100 Continue for a rejected request', async () => {
    const one = await open();
    one.send('POST', PATH, { ...json(100), expect: '100-continue' });
    expect(await one.status()).toBe(401);
    const other = await open();
    other.send('POST', PATH, { ...json(2), ...keyed, expect: '100-continue' });
    expect(await other.status()).toBe(100);
  });

  it('serves other clients during 60 unauthenticated bodies of 15 MB, and reads little of them', async () => {
    const memory = async () => {
      const { body } = await api.call('GET', '/metrics');
      return Number(/^process_resident_memory_bytes (\S+)$/m.exec(String(body))?.[1]);
    };
    const before = await memory();
    const floods = Array.from({ length: 60 }, async () => {
      const one = await open();
      one.send('POST', PATH, json(15 * MIB));
      await one.status();
      return one.flood();
    });
    for (let at = 0; at < 20; at += 1)
      expect(await api.call('GET', '/v1/profiles')).toMatchObject({ status: 200 });
    // The kernel buffers of both ends hold the rest.
    for (const taken of await Promise.all(floods)) expect(taken).toBeLessThan(14 * MIB);
    expect((await memory()) - before).toBeLessThan(200 * MIB);
  });

  it('closes a connection whose request does not begin in time', async () => {
    const waiting = await open();
    waiting.send(
      'POST',
      '/v1/imports',
      { ...json(100), ...keyed, 'content-type': 'application/x-ndjson' },
      '{',
    );
    const one = await open();
    one.socket.write('GET /v1/profiles HTTP/1.1\r\nx-half: ');
    expect(await one.whenClosed()).toMatch(/^HTTP\/1\.1 408 |^$/);
    // Node's own limit for heads is as long as the pause that this body may make.
    expect(waiting.socket.destroyed).toBe(false);
    waiting.close();
  });

  it('limits the buffered bytes of bodies per tenant', async () => {
    const issued = await api.call('POST', '/v1/tenants', { tenant: 'other', name: 'Other' });
    expect(issued.status).toBeLessThan(300);
    const other = { authorization: `Bearer ${(issued.body as { key: string }).key}` };
    const held = [await open(), await open()];
    for (const one of held) {
      one.send('POST', PATH, { ...json(15 * MIB), ...keyed, expect: '100-continue' }, '[');
      expect(await one.status()).toBe(100);
    }
    const beyond = await api.call('POST', PATH, 'x'.repeat(4 * MIB), keyed);
    expect(beyond.status).toBe(429);
    expect(beyond.headers.get('retry-after')).toBe('1');
    expect(beyond.body).toMatchObject({ code: 'rate-limited', detail: expect.stringContaining('bodies') });
    const inAll = await api.call('POST', PATH, 'x'.repeat(12 * MIB), other);
    expect(inAll.status).toBe(503);
    expect(inAll.headers.get('retry-after')).toBe('1');
    expect(inAll.body).toMatchObject({ code: 'overloaded' });
    // Without a declared length, the bytes count as they arrive.
    expect([await chunked(4, keyed), await chunked(12, other)]).toEqual([429, 503]);
    for (const one of held) one.close();
    expect(await answeredWith(400, () => api.call('POST', PATH, 'x'.repeat(12 * MIB), other))).toMatchObject({
      body: { code: 'invalid-request' },
    });
  });

  it('answers a body that arrives too slowly with 408, and closes the connection', async () => {
    expect(await slow.status()).toBe(408);
    await slow.whenClosed();
  });

  /** Returns the answer to a body of these MiB without a declared length. */
  const chunked = async (mebibytes: number, headers: Readonly<Record<string, string>>) => {
    const one = await open();
    const bytes = mebibytes * MIB;
    const framing = { 'content-type': 'application/json', 'transfer-encoding': 'chunked' };
    one.send('POST', PATH, { ...headers, ...framing }, `${bytes.toString(16)}\r\n${'x'.repeat(bytes)}`);
    return one.status();
  };
});

describe('half-sent body', () => {
  it('is answered with 408 and closed after a pause', async () => {
    const api = await ApiServer.startAlone({
      PALIMPSEST_HTTP_BODY_IDLE_TIMEOUT_MS: '300',
      PALIMPSEST_HTTP_BODY_TIMEOUT_MS: '3600000',
    });
    try {
      for (const [path, type, headers = keyed] of [
        [PATH, 'application/json'],
        [GATEWAY, 'application/json'],
        ['/v1/imports', 'application/x-ndjson'],
        ['/witness/add-checkpoint', 'text/plain', {}],
        ['/v1/sign-in', 'application/json', {}],
      ] as const) {
        const one = await RawHttp.open(api.url);
        one.send('POST', path, { ...json(1_000), ...headers, 'content-type': type }, '{"half');
        expect(await one.status()).toBe(408);
        await one.whenClosed();
      }
    } finally {
      await api.stop();
    }
  });

  it('does not delay the exit of the process', async () => {
    const api = await ApiServer.startAlone({ PALIMPSEST_HTTP_BODY_IDLE_TIMEOUT_MS: '600000' });
    const halves = await Promise.all([PATH, GATEWAY, '/v1/imports'].map(() => RawHttp.open(api.url)));
    for (const [at, path] of [PATH, GATEWAY, '/v1/imports'].entries())
      halves[at]?.send('POST', path, { ...json(1_000), ...keyed, expect: '100-continue' }, '{"half');
    for (const one of halves) expect(await one.status()).toBe(100);
    expect(await api.stop()).toBe(0);
  });
});

/** Retries until the answer has this status: then the requests on other connections are under way. */
const answeredWith = async <Answer extends { readonly status: number }>(
  status: number,
  ask: () => Promise<Answer>,
): Promise<Answer> => {
  for (;;) {
    const answer = await ask();
    if (answer.status === status) return answer;
  }
};
