import { createServer as createHttpServer, type ServerResponse } from 'node:http';
import { createServer, type Socket } from 'node:net';
import Anthropic from '@anthropic-ai/sdk';
import {
  AnthropicServer,
  answer,
  type Disturbance,
  type FailureName,
  fail,
  OpenAiServer,
} from '@app/testing/providers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { anthropicAt, ask, GPT, MODEL, openAiAt, saying } from './support/clients.js';
import { GatewayProcess } from './support/gateway-process.js';

/** An address without a server. */
const NOWHERE = 'http://127.0.0.1:9';

/** Guarantee: a request goes to one upstream at a time, and to the next one only if that can help. */
describe('chain of upstreams', () => {
  let first: AnthropicServer;
  let second: AnthropicServer;
  let openai: OpenAiServer;
  let gateway: GatewayProcess;
  let broken: GatewayProcess;
  beforeAll(async () => {
    first = await AnthropicServer.start();
    second = await AnthropicServer.start();
    openai = await OpenAiServer.start();
    gateway = await GatewayProcess.start({
      anthropic: [first.url, `${second.url}#secret=second`],
      openai: [`${NOWHERE}/v1`, `${openai.url}/v1`],
      secrets: { second: 'key-of-the-second' },
    });
    broken = await GatewayProcess.start({ anthropic: [first.url, NOWHERE], openai: [NOWHERE] });
  });
  afterAll(async () => {
    await Promise.all([gateway.close(), broken.close()]);
    await Promise.all([first.close(), second.close(), openai.close()]);
  });
  beforeEach(() => {
    first.forget();
    second.forget();
  });
  let sessions = 0;
  const asking = (text = 'Who answers?', of = gateway) => {
    sessions += 1;
    return ask(anthropicAt(of, { session: `chain-${sessions}` }), saying(text));
  };

  it('stops at the first one that accepts the request', async () => {
    first.reply(answer('The first.'));
    expect((await asking()).text).toBe('The first.');
    expect(second.requests).toEqual([]);
  });

  // Holds rule 10.11.
  it.each<FailureName>(['overloaded', 'server-error', 'bad-gateway', 'gateway-timeout', 'hangs-up'])(
    'continues with the next one after the error %s, with the identical request',
    async (failure) => {
      first.reply(fail(failure));
      second.reply(answer('The second.'));
      const { text, session } = await asking();
      expect(text).toBe('The second.');
      expect(second.requests.map((request) => request.text)).toEqual(
        first.requests.map((request) => request.text),
      );
      expect(await gateway.exported(session)).toHaveLength(2);
    },
  );

  // Holds rule 10.11.
  it.each<FailureName>(['bad-request', 'unauthorized', 'rate-limited', 'not-found'])(
    'stops after the error %s, which every upstream would return',
    async (failure) => {
      first.reply(fail(failure));
      await expect(asking()).rejects.toBeInstanceOf(Anthropic.APIError);
      expect(second.requests).toEqual([]);
    },
  );

  // Holds rule 10.11.
  it('continues with the next one if the first is unreachable', async () => {
    openai.reply(answer('The second.'));
    const client = openAiAt(gateway, { session: 'nowhere' });
    const { output_text: text } = await client.responses.create({ model: GPT, input: 'Who answers?' });
    expect(text).toBe('The second.');
  });

  // Holds rule 10.14.
  it('sends the client’s key to no upstream with its own key', async () => {
    first.reply(fail('overloaded'));
    await asking();
    expect(first.requests[0]?.headers).toMatchObject({ authorization: 'Bearer the-providers-key' });
    expect(second.requests[0]?.headers).toMatchObject({ 'x-api-key': 'key-of-the-second' });
    expect(JSON.stringify(second.requests[0]?.headers)).not.toContain('the-providers-key');
  });

  // Holds rules 10.7, 10.12.
  it('returns the last error if all fail, and a retry succeeds as one turn', async () => {
    first.reply(fail('overloaded'), answer('Now.'));
    second.reply(fail('server-error', { message: 'the second is down' }));
    const client = anthropicAt(gateway, { session: 'all-fail' });
    await expect(ask(client, saying('Who answers?'))).rejects.toMatchObject({
      status: 500,
      message: expect.stringContaining('the second is down'),
    });
    expect((await ask(client, saying('Who answers?'))).text).toBe('Now.');
    expect(await gateway.exported('all-fail')).toHaveLength(2);
  });

  // Holds rule 10.12.
  it('returns an upstream’s error rather than the unreachability of another one', async () => {
    first.reply(fail('overloaded'));
    await expect(asking('Who?', broken)).rejects.toMatchObject({ status: 529 });
    const unanswered = openAiAt(broken).chat.completions.create({ model: GPT, messages: saying('Who?') });
    await expect(unanswered).rejects.toMatchObject({
      ...{ status: 502, code: 'upstream-unreachable' },
      message: expect.stringContaining('repeat the request. If it fails again, ask the operator'),
    });
  });

  // Holds rule 10.13.
  it.each<[string, Disturbance]>([
    ['breaks off', { kind: 'cut', afterEvents: 3 }],
    ['contains an error', { kind: 'error', afterEvents: 3, failure: 'overloaded' }],
  ])(
    'does not continue after the first byte: a stream that %s is returned to the client',
    async (_, disturbance) => {
      first.reply({ ...answer('Half of it.'), disturbance });
      const client = anthropicAt(gateway, { session: `stream-${disturbance.kind}` });
      const stream = client.messages.stream({ model: MODEL, max_tokens: 500, messages: saying('Go on.') });
      await expect(stream.finalMessage()).rejects.toThrow();
      expect(second.requests).toEqual([]);
      expect(await gateway.exported(`stream-${disturbance.kind}`)).toHaveLength(1);
    },
  );

  it('is aborted when the client leaves', async () => {
    first.reply(fail('overloaded'));
    second.reply(fail('never-answers'));
    const gone = new AbortController();
    const client = anthropicAt(gateway, { session: 'gone' });
    const body = { model: MODEL, max_tokens: 500, messages: saying('Go on.') };
    const asked = expect(client.messages.create(body, { signal: gone.signal })).rejects.toThrow();
    await second.received(1);
    gone.abort();
    await asked;
    expect(await second.requests[0]?.ended).toBe('left');
  });
});

/** A server that closes each connection at its second request; it answers after a number of concurrent requests. */
class ForgetfulServer {
  private readonly sockets: Socket[] = [];
  private readonly waiting: (() => void)[] = [];
  private readonly server = createServer((socket) => {
    this.sockets.push(socket);
    let isUsed = false;
    socket.on('error', () => {});
    socket.on('data', (bytes) => {
      if (isUsed) return void socket.destroy();
      if (!bytes.toString().endsWith('}')) return;
      isUsed = true;
      this.waiting.push(() =>
        socket.write(
          `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${SAID.length}\r\n\r\n${SAID}`,
        ),
      );
      if (this.sockets.length >= this.atOnce) for (const answer of this.waiting.splice(0)) answer();
    });
  });

  constructor(private readonly atOnce = 1) {}

  get connections(): number {
    return this.sockets.length;
  }

  start(): Promise<string> {
    return new Promise((resolve) =>
      this.server.listen(0, '127.0.0.1', () =>
        resolve(`http://127.0.0.1:${Object(this.server.address()).port}`),
      ),
    );
  }

  stop(): void {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
  }
}
const SAID = '{"type":"message","content":[{"type":"text","text":"Here."}],"stop_reason":"end_turn"}';

describe('upstream that has closed a keep-alive connection', () => {
  it('is called over a new connection, unnoticed by the client', async () => {
    const server = new ForgetfulServer();
    const gateway = await GatewayProcess.start({ anthropic: [await server.start()] });
    const client = anthropicAt(gateway);
    expect((await ask(client, saying('One?'))).text).toBe('Here.');
    expect((await ask(client, saying('Two?'))).text).toBe('Here.');
    expect(server.connections).toBe(2);
    await gateway.close();
    server.stop();
  });

  it('is called over a new connection if it has closed other idle ones, too', async () => {
    const server = new ForgetfulServer(3);
    const gateway = await GatewayProcess.start({ anthropic: [await server.start()] });
    const client = anthropicAt(gateway);
    await Promise.all(['One?', 'Two?', 'Three?'].map((words) => ask(client, saying(words))));
    expect((await ask(client, saying('Four?'))).text).toBe('Here.');
    expect(server.connections).toBe(4);
    await gateway.close();
    server.stop();
  });
});

/** A gateway before a server that answers every request by `reply`. */
const withUpstream = async (
  reply: (response: ServerResponse) => void,
  test: (gateway: GatewayProcess) => Promise<void>,
): Promise<void> => {
  const server = createHttpServer((request, response) => {
    request.resume().on('end', () => reply(response));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const gateway = await GatewayProcess.start({
    anthropic: [`http://127.0.0.1:${Object(server.address()).port}`],
  });
  try {
    await test(gateway);
  } finally {
    await gateway.close();
    server.closeAllConnections();
    server.close();
  }
};

describe('upstream that breaks the protocol', () => {
  it.each([
    ['an answer', { 'content-type': 'application/json', 'content-length': '500' }, '{"type":'],
    ['a stream before its first event', { 'content-type': 'text/event-stream' }, ''],
  ])('is reported as 502 if it breaks off %s', (_, headers, text) =>
    withUpstream(
      (response) => {
        response.writeHead(200, headers).flushHeaders();
        response.write(text, () => setImmediate(() => response.destroy()));
      },
      async (gateway) => {
        await expect(ask(anthropicAt(gateway), saying('Who answers?'))).rejects.toMatchObject({
          status: 502,
        });
      },
    ),
  );

  it('may number the blocks of a stream by any number', () => {
    const text = { type: 'text', text: 'Here.' };
    const events = [
      { type: 'message_start', message: { type: 'message', role: 'assistant', content: [] } },
      { type: 'content_block_start', index: 1_000_000_000_000, content_block: text },
      { type: 'content_block_start', index: -1, content_block: text },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 1 } },
      { type: 'message_stop' },
    ].map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
    return withUpstream(
      (response) =>
        void response.writeHead(200, { 'content-type': 'text/event-stream' }).end(events.join('')),
      async (gateway) => {
        const client = anthropicAt(gateway, { session: 'numbered' });
        const body = {
          model: MODEL,
          max_tokens: 500,
          messages: saying('Who answers?'),
          stream: true as const,
        };
        await (await client.messages.create(body).asResponse()).text();
        expect(await gateway.exported('numbered')).toMatchObject([{}, { content: [text, text] }]);
      },
    );
  });
});
