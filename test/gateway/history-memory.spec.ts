import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MODEL } from './support/clients.js';
import { GatewayProcess, KEY } from './support/gateway-process.js';

/** Histories of 0.4 MB: so many that they fill the 24 MiB which the gateway keeps, and more, of 0.9 MiB each with their parsed form. */
const [FILLING, MORE] = [65, 45];
const GROWTH_MAX_MIB = 10;
const PAGE = 'The lexer is green, and the parser is not. '.repeat(90);

/** Guarantee: the gateway keeps the histories of recent requests by their size, however many sessions there are. */
describe('memory of the gateway', () => {
  let upstream: Server;
  let gateway: GatewayProcess;
  beforeAll(async () => {
    upstream = createServer(async (request, response) => {
      await text(request);
      response.setHeader('content-type', 'application/json');
      response.end('{"input_tokens":1}');
    }).listen(0, '127.0.0.1');
    await once(upstream, 'listening');
    const { port }: Partial<AddressInfo> = Object(upstream.address());
    gateway = await GatewayProcess.start({ anthropic: [`http://127.0.0.1:${port}`] });
  });
  afterAll(async () => {
    await gateway.close();
    upstream.closeAllConnections();
    upstream.close();
  });

  /** Counts the tokens of a long history and of its continuation, of which the log of this process keeps nothing. */
  const count = async (conversation: number): Promise<void> => {
    const messages = Array.from({ length: 100 }, (_, at) => ({
      role: at % 2 ? 'assistant' : 'user',
      content: [{ type: 'text', text: `${conversation}, ${at}: ${PAGE}` }],
    }));
    for (const last of ['And?', 'And then?']) {
      messages.push({ role: 'user', content: [{ type: 'text', text: last }] });
      const response = await fetch(`${gateway.anthropic}/v1/messages/count_tokens`, {
        method: 'POST',
        headers: {
          ...{ 'x-palimpsest-key': KEY, 'x-palimpsest-session': `session-${conversation}` },
          ...{ 'x-api-key': 'p', 'anthropic-version': '2023-06-01', 'content-type': 'application/json' },
        },
        body: JSON.stringify({ model: MODEL, messages }),
      });
      expect([response.status, await response.json()]).toEqual([200, { input_tokens: 1 }]);
      messages.push({ role: 'assistant', content: [{ type: 'text', text: 'Then.' }] });
    }
  };

  it('does not grow with the number of long histories', async () => {
    for (let at = 0; at < FILLING; at += 1) await count(at);
    const before = heldMiB();
    for (let at = FILLING; at < FILLING + MORE; at += 1) await count(at);
    expect(heldMiB() - before).toBeLessThan(GROWTH_MAX_MIB);
  });
});

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');
/** Returns the memory of objects and buffers after garbage collection. */
const heldMiB = (): number => {
  collect();
  collect(); // What the first one's finalizers have released.
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 1_048_576;
};
