import { once } from 'node:events';
import { request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApiServer } from '../support/api-server.js';
import { RawProvider } from '../support/raw-provider.js';

const MIB = 1_048_576;
/** A configured key, which may lack the form of issued ones. */
const KEY = 'an-operators-own-key';
const MESSAGES = '/gateway/anthropic/v1/messages';
const text = (length: number): string => 'é'.repeat(length);
const message = {
  ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'claude-opus-4-6', stop_reason: 'end_turn' },
  content: [{ type: 'text', text: text(100) }],
  usage: { input_tokens: 10, output_tokens: 10 },
};
const frame = (event: string, data: object): string =>
  `event: ${event}\ndata: ${JSON.stringify({ type: event, ...data })}\n\n`;
const events = [
  frame('message_start', { message: { ...message, content: [], stop_reason: null } }),
  frame('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
  frame('content_block_delta', { index: 0, delta: { type: 'text_delta', text: text(100) } }),
  frame('content_block_stop', { index: 0 }),
  frame('message_delta', { delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 10 } }),
  frame('message_stop', {}),
].join('');

/** Guarantee: the gateway forwards no key of this service, and streams answers unchanged without buffering them. */
describe('gateway between a client and its provider', () => {
  let api: ApiServer;
  let provider: RawProvider;
  let sessions = 0;
  let before: number | undefined;
  beforeAll(async () => {
    provider = await RawProvider.start();
    api = await ApiServer.startAlone({
      PALIMPSEST_API_KEY: KEY,
      PALIMPSEST_GATEWAY_ANTHROPIC: provider.url,
      PALIMPSEST_GATEWAY_OPENAI: `${provider.url}/v1`,
    });
  });
  afterAll(async () => {
    await api.stop();
    provider.close();
  });

  const ask = (headers: Readonly<Record<string, string>> = {}, more: object = {}, query = '') => {
    sessions += 1;
    const body = { model: 'claude-opus-4-6', max_tokens: 100, ...more };
    return fetch(`${api.url}${MESSAGES}${query}`, {
      method: 'POST',
      headers: {
        ...{ 'content-type': 'application/json', 'x-palimpsest-key': KEY, 'x-api-key': 'sk-of-the-client' },
        ...{ 'x-palimpsest-session': `entry-${sessions}` },
        ...headers,
      },
      body: JSON.stringify({ ...body, messages: [{ role: 'user', content: `Question ${sessions}` }] }),
    });
  };
  const exported = async (): Promise<readonly unknown[]> => {
    const path = `/v1/sessions/entry-${sessions}/export`;
    const { body } = await api.call('GET', path, undefined, { authorization: `Bearer ${KEY}` });
    return String(body).split('\n').filter(Boolean);
  };

  it('forwards no Palimpsest key from any header or parameter', async () => {
    provider.reply((response) =>
      response.setHeader('content-type', 'application/json').end(JSON.stringify(message)),
    );
    const before = provider.asked.length;
    const basic = `Basic ${Buffer.from(`user:${KEY}`).toString('base64')}`;
    for (const value of [KEY, 'pal_another0000_key', `Bearer ${KEY}`, basic])
      for (const name of ['authorization', 'api-key', 'x-goog-api-key', 'x-own'])
        expect((await ask({ [name]: value })).status).toBe(200);
    expect((await ask({}, {}, `?key=${KEY}&beta=true&other=pal%5Fanother`)).status).toBe(200);
    const asked = provider.asked.slice(before);
    expect(asked).toHaveLength(17);
    for (const { url, headers } of asked) {
      expect(`${url}\n${headers}`).not.toMatch(/pal_|pal%5F|operators-own/i);
      expect(headers).not.toContain(basic);
      expect(headers).toContain('sk-of-the-client');
    }
    expect(asked.at(-1)?.url).toBe('/v1/messages?beta=true');
  });

  it('does not forward a Palimpsest key in the provider’s header as the provider’s key', async () => {
    const before = provider.asked.length;
    expect((await ask({ 'x-api-key': KEY, authorization: `Bearer ${KEY}` })).status).toBe(401);
    expect(provider.asked).toHaveLength(before);
  });

  it.each(['..%2f..%2fx', '%2e%2e', '%252e%252e', 'a%5c..'])(
    'rejects the model name %s without a request to the provider',
    async (name) => {
      const before = provider.asked.length;
      for (const path of ['/gateway/anthropic/v1/models', '/gateway/openai/v1/models'])
        expect(
          await api.call('GET', `${path}/${name}`, undefined, { authorization: `Bearer ${KEY}` }),
        ).toMatchObject({ status: 404 });
      expect(provider.asked).toHaveLength(before);
    },
  );

  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ] as const)(
    'forwards and records answers with encoding %s, as one body and as a stream',
    async (encoding, compress) => {
      provider.reply((response) =>
        response
          .writeHead(200, { 'content-type': 'application/json', 'content-encoding': encoding })
          .end(compress(JSON.stringify(message))),
      );
      expect(await (await ask()).json()).toEqual(message);
      expect(await exported()).toHaveLength(2);
      provider.reply((response) =>
        response
          .writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': encoding })
          .end(compress(events)),
      );
      expect(await (await ask({}, { stream: true })).text()).toBe(events);
      expect(await exported()).toHaveLength(2);
    },
  );

  it.each(['application/json', 'text/event-stream', 'application/octet-stream'])(
    'forwards invalid UTF-8 and unknown encodings unchanged: %s',
    async (type) => {
      const bytes = Buffer.from(Array.from({ length: 4_096 }, (_, at) => (at * 7) % 256));
      for (const encoding of ['identity', 'zstd'])
        for (const status of [200, 418]) {
          provider.reply((response) =>
            response.writeHead(status, { 'content-type': type, 'content-encoding': encoding }).end(bytes),
          );
          sessions += 1;
          expect((await rawAnswer(api.url, `entry-${sessions}`)).equals(bytes)).toBe(true);
        }
    },
  );

  it.each(['application/json', 'text/event-stream'])(
    'forwards %s of 300 MB without buffering it',
    async (type) => {
      const piece = Buffer.alloc(MIB, 'x');
      provider.reply(async (response) => {
        response.writeHead(200, { 'content-type': type });
        for (let at = 0; at < 300; at += 1) if (!response.write(piece)) await once(response, 'drain');
        response.end();
      });
      let [bytes, most, asked] = [0, 0, 0];
      before ??= await memory(api);
      for await (const part of (await ask({}, { stream: type !== 'application/json' })).body ?? []) {
        bytes += part.length;
        if (bytes < (asked + 1) * 50 * MIB) continue;
        asked += 1;
        most = Math.max(most, await memory(api));
      }
      expect([bytes, asked]).toEqual([300 * MIB, 6]);
      // Freed pieces stay resident for a while; the whole answer and its text would take more than 900 MB.
      expect(most - before).toBeLessThan(500 * MIB);
    },
  );
});

const memory = async (api: ApiServer): Promise<number> => {
  const { body } = await api.call('GET', '/metrics');
  return Number(/^process_resident_memory_bytes (\S+)$/m.exec(String(body))?.[1]);
};

/** Returns the raw bytes of an answer, independently of its headers. */
const rawAnswer = (url: string, session: string): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'x-palimpsest-key': KEY, 'x-api-key': 'sk-client' };
    const options = { method: 'POST', headers: { ...headers, 'x-palimpsest-session': session } };
    const asked = request(`${url}${MESSAGES}`, options, (answer) => resolve(buffer(answer)));
    asked.on('error', reject);
    const messages = [{ role: 'user', content: 'Which bytes?' }];
    asked.end(JSON.stringify({ model: 'claude-opus-4-6', max_tokens: 100, messages }));
  });
