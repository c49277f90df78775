import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { lightFetch } from './light-fetch.js';

const ANSWERS: Readonly<Record<string, (request: IncomingMessage, answer: ServerResponse) => unknown>> = {
  '/echo': async (request, answer) => {
    const { method, headers } = request;
    const told = {
      method,
      body: await text(request),
      type: headers['content-type'],
      key: headers.authorization,
    };
    answer.end(`\ufeff${JSON.stringify(told)} é😀`);
  },
  '/busy': (_, answer) => answer.writeHead(429, { 'retry-after': '7' }).end('slow down'),
  '/elsewhere': (_, answer) => answer.writeHead(302, { location: '/echo' }).end(),
  '/cut': (_, answer) =>
    answer.writeHead(200, { 'content-length': '9' }).write('cut', () => answer.destroy()),
  '/endless': (_, answer) => answer.write('one'),
  '/broken': (request) => request.socket.end('HTTP/1.1 200 OK\r\nhead er: 1\r\n\r\n'),
};

let server: Server;
let url: string;
beforeAll(async () => {
  server = createServer((request, answer) => ANSWERS[request.url ?? '']?.(request, answer));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(resolve));
});

const KEY = { authorization: 'Bearer key' };
const told = async (send: typeof fetch, path: string, request: RequestInit = {}) => {
  const answer = await send(`${url}${path}`, { redirect: 'manual', headers: KEY, ...request });
  const { ok, status, headers } = answer;
  const names = ['retry-after', 'location', 'content-length', 'none'];
  return { ok, status, headers: names.map((name) => headers.get(name)), text: await answer.text() };
};

/** Guarantee: the client sees the same answers and codes of errors as with the platform's `fetch`. */
describe('a light fetch', () => {
  it.each([
    ['an answer', '/echo', {}],
    ['a text', '/echo', { method: 'POST', headers: { 'content-type': 'text/plain' }, body: 'grüezi 😀' }],
    ['a body in pieces', '/echo', { method: 'POST', body: new Blob(['one', 'two']) }],
    ['a refusal', '/busy', { method: 'DELETE' }],
    ['a redirect', '/elsewhere', {}],
  ])('returns the same as the platform for %s', async (_, path, request) => {
    expect(await told(lightFetch, path, request)).toEqual(await told(fetch, path, request));
  });

  it('returns the bytes of an answer, at once or in pieces', async () => {
    const bytes = await (await lightFetch(`${url}/busy`)).arrayBuffer();
    expect(new TextDecoder().decode(bytes)).toBe('slow down');
    let pieces = '';
    for await (const piece of (await lightFetch(`${url}/busy`)).body ?? [])
      pieces += new TextDecoder().decode(piece);
    expect(pieces).toBe('slow down');
  });

  it('rejects for a truncated answer, a broken one and a closed port', async () => {
    await expect(told(lightFetch, '/cut')).rejects.toThrow('aborted');
    await expect(told(lightFetch, '/broken')).rejects.toMatchObject({ code: 'HPE_INVALID_HEADER_TOKEN' });
    await expect(lightFetch('http://127.0.0.1:1/')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('ends with its signal, before an answer and within one', async () => {
    const before = new AbortController();
    const none = lightFetch(`${url}/none`, { signal: before.signal });
    before.abort();
    await expect(none).rejects.toMatchObject({ name: 'AbortError' });
    const within = new AbortController();
    const { body } = await lightFetch(`${url}/endless`, { signal: within.signal });
    await expect(async () => {
      for await (const _ of body ?? []) within.abort();
    }).rejects.toThrow('aborted');
  });
});
