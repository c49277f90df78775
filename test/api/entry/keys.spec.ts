import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ApiServer, KEY } from '../support/api-server.js';
import { RawHttp } from '../support/raw-http.js';
import { RawProvider } from '../support/raw-provider.js';

let api: ApiServer;
let provider: RawProvider;
beforeAll(async () => {
  provider = await RawProvider.start();
  // No heartbeat is due during the test: only the end of the key can end a stream.
  api = await ApiServer.startAlone({
    PALIMPSEST_STREAM_HEARTBEAT_MS: '600000',
    PALIMPSEST_GATEWAY_ANTHROPIC: provider.url,
  });
});
afterAll(async () => {
  await api.stop();
  provider.close();
});

type Issued = { readonly key: string; readonly keyId: string };
const issued = async (more: object = {}): Promise<Issued> => {
  const { body, status } = await api.call('POST', '/v1/keys', { role: 'operator', label: 'reader', ...more });
  expect(status).toBeLessThan(300);
  return body as Issued;
};
const streaming = async (key: string): Promise<RawHttp> => {
  const one = await RawHttp.open(api.url);
  one.send('GET', '/v1/stream', { authorization: `Bearer ${key}` });
  expect(await one.status()).toBe(200);
  return one;
};
const revoke = ({ keyId }: Issued) => api.call('DELETE', `/v1/keys/${keyId}`);

it('ends exactly the streams of a revoked key at once', async () => {
  const [lost, kept] = [await issued(), await issued()];
  const [ended, open] = [await streaming(lost.key), await streaming(kept.key)];
  expect((await revoke(lost)).status).toBeLessThan(300);
  expect(await ended.whenClosed()).toContain('"reason":"key-ended"');
  expect(open.socket.destroyed).toBe(false);
  open.close();
});

it('creates and revokes as many at the same time as are asked for', async () => {
  // Without a queue, each of more than fifty writers of a tenant may lose that many races.
  const all = await Promise.all(Array.from({ length: 120 }, () => issued()));
  const isValid = ({ key }: Issued) =>
    api.call('GET', '/v1/whoami', undefined, { authorization: `Bearer ${key}` }).then(({ status }) => status);
  expect(new Set(await Promise.all(all.map(isValid)))).toEqual(new Set([200]));
  const revoked = await Promise.all(all.map(revoke));
  expect(new Set(revoked.map(({ status }) => status))).toEqual(new Set([200]));
  expect(new Set(await Promise.all(all.map(isValid)))).toEqual(new Set([401]));
});

it('ends the streams of an expiring key', async () => {
  const short = await issued({ expiresAt: new Date(Date.now() + 2_000).toISOString() });
  expect(await (await streaming(short.key)).whenClosed()).toContain('"reason":"key-ended"');
});

it('aborts exports and provider answers of a revoked key', async () => {
  const session = 'exported';
  await api.call('POST', '/v1/sessions', { session, window: 100_000_000 });
  for (let at = 0; at < 4; at += 1)
    await api.call('POST', `/v1/sessions/${session}/messages`, {
      messages: [{ role: 'user', content: `${at} ${'again and '.repeat(400_000)}` }],
    });
  const lost = await issued({ role: 'agent', permissions: ['content:read'] });
  const exporting = await RawHttp.open(api.url);
  exporting.send('GET', `/v1/sessions/${session}/export`, { authorization: `Bearer ${lost.key}` });
  exporting.socket.pause(); // Full buffers keep the export under way.
  provider.reply((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(': and then nothing\n\n');
  });
  const asking = await RawHttp.open(api.url);
  const body = JSON.stringify({
    ...{ model: 'claude-opus-4-6', max_tokens: 9, stream: true },
    messages: [{ role: 'user', content: 'Go on.' }],
  });
  const headers = { 'content-type': 'application/json', 'content-length': String(body.length) };
  const keys = { 'x-palimpsest-key': lost.key, 'x-api-key': 'sk-client' };
  asking.send('POST', '/gateway/anthropic/v1/messages', { ...headers, ...keys }, body);
  expect(await asking.status()).toBe(200);
  expect((await revoke(lost)).status).toBeLessThan(300);
  // Both lack the end of a complete answer.
  expect(await asking.whenClosed()).not.toMatch(/\r\n0\r\n\r\n$/);
  exporting.socket.resume();
  expect(await exporting.whenClosed()).not.toMatch(/\r\n0\r\n\r\n$/);
});

it('completes the answer to the request that revokes its own key', async () => {
  const own = await issued({ role: 'admin' });
  const answer = await api.call('DELETE', `/v1/keys/${own.keyId}`, undefined, {
    authorization: `Bearer ${own.key}`,
  });
  expect(answer.status).toBeLessThan(300);
  expect(
    (await api.call('GET', '/v1/whoami', undefined, { authorization: `Bearer ${own.key}` })).status,
  ).toBe(401);
  expect((await api.call('GET', '/v1/whoami', undefined, { authorization: `Bearer ${KEY}` })).status).toBe(
    200,
  );
});

/** Asks as a page of this service does, or as `headers` say. */
const asPage = (
  method: string,
  path: string,
  { body, ...headers }: Readonly<Record<string, string>> & { readonly body?: string } = {},
) =>
  fetch(`${api.url}${path}`, {
    method,
    headers: {
      origin: api.url,
      'sec-fetch-site': 'same-origin',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body }),
  });
const cookieOf = (answer: Response): string => answer.headers.get('set-cookie')?.split(';')[0] ?? '';
const link = (): string => /#\/sign-in\/(\S+)/.exec(api.printed)?.[1] ?? '';

it('signs a browser in with a cookie of this service alone, which is secure behind TLS', async () => {
  const body = JSON.stringify({ key: KEY });
  const plain = await asPage('POST', '/v1/sign-in', { body });
  const { port } = new URL(api.url);
  expect(plain.headers.get('set-cookie')).toMatch(
    new RegExp(`^palimpsest_session_${port}=\\S+; Path=/; HttpOnly; SameSite=Strict; Max-Age=43200$`),
  );
  const proxied = await asPage('POST', '/v1/sign-in', { body, 'x-forwarded-proto': 'https, http' });
  expect(proxied.headers.get('set-cookie')).toMatch(/^__Host-palimpsest_session_\d+=\S+; .*; Secure$/);
  const tossed = { cookie: cookieOf(plain), 'x-forwarded-proto': 'https' };
  expect((await asPage('GET', '/v1/whoami', tossed)).status).toBe(401);
  expect((await asPage('GET', '/v1/whoami', { cookie: cookieOf(plain) })).status).toBe(200);
});

it.each([
  ['another site', { 'sec-fetch-site': 'cross-site', origin: 'https://example.org' }],
  ['another port of the host', { 'sec-fetch-site': 'same-site', origin: 'http://127.0.0.1:1' }],
])('refuses writes, sign-in and sign-out from %s', async (_, foreign) => {
  const cookie = cookieOf(await asPage('POST', '/v1/sign-in', { body: JSON.stringify({ key: KEY }) }));
  const body = JSON.stringify({ session: 'forged' });
  expect((await asPage('POST', '/v1/sessions', { body, cookie, ...foreign })).status).toBe(401);
  const signIn = { body: JSON.stringify({ key: KEY }), ...foreign };
  expect((await asPage('POST', '/v1/sign-in', signIn)).status).toBe(403);
  expect((await asPage('POST', '/v1/sign-out', { cookie, ...foreign })).status).toBe(403);
  expect((await api.call('GET', '/v1/sessions/forged')).status).toBe(404);
});

it('revokes the key of a sign-in link when its browser signs out', async () => {
  const body = JSON.stringify({ code: link() });
  const cookie = cookieOf(await asPage('POST', '/v1/sign-in', { body }));
  expect((await asPage('GET', '/v1/whoami', { cookie })).status).toBe(200);
  expect((await asPage('POST', '/v1/sign-in', { body })).status).toBe(401);
  expect((await asPage('POST', '/v1/sign-out', { cookie })).status).toBe(200);
  expect((await asPage('GET', '/v1/whoami', { cookie })).status).toBe(401);
  expect((await asPage('POST', '/v1/sign-out', { cookie })).status).toBe(200);
});

it('keeps a pasted key valid when its browser signs out', async () => {
  const { key } = await issued();
  const cookie = cookieOf(await asPage('POST', '/v1/sign-in', { body: JSON.stringify({ key }) }));
  await asPage('POST', '/v1/sign-out', { cookie });
  const { status } = await api.call('GET', '/v1/whoami', undefined, { authorization: `Bearer ${key}` });
  expect(status).toBe(200);
});

it('answers a request that wants no content as one of a key that may not read it', async () => {
  await api.call('POST', '/v1/sessions', {
    session: 'silent',
    model: 'claude-opus-4-6',
    system: 'Be brief.',
  });
  await api.call('POST', '/v1/sessions/silent/messages', {
    messages: [{ role: 'user', content: 'A word.' }],
  });
  const asked = async (path: string, wanted: string) => {
    const headers = { ...api.authorization, 'x-palimpsest-content': wanted };
    const answer = await fetch(`${api.url}/v1/sessions/silent${path}`, { headers });
    return [answer.status, await answer.text()] as const;
  };
  expect(await asked('/export', 'none')).toEqual([403, expect.stringContaining('content-forbidden')]);
  const [status, context] = await asked('/context', 'none');
  expect([status, context.includes('A word.'), context.includes('Be brief.')]).toEqual([200, false, false]);
  expect(await asked('/messages', 'all')).toEqual([400, expect.stringContaining('x-palimpsest-content')]);
  expect((await api.call('GET', '/v1/sessions/silent/messages')).status).toBe(200);
});
