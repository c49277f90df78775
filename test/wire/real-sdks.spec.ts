import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import Anthropic, { BadRequestError } from '@anthropic-ai/sdk';
import { compose, manifestOf } from '@app/domain';
import { compactable, complete, openOf, request, run, start } from '@app/testing';
import OpenAI from 'openai';
import { anthropicFaults, type Faults, openAiChatFaults } from '../support/provider-rules/index.js';

const manifest = manifestOf(openOf(run([...compactable(), request(), start(), complete()])));

/** What came in, and a server that refuses it where it breaks the provider's rules, as the provider would. */
const received: unknown[] = [];
const serve = (faultsOf: (body: unknown) => Faults, answer: object): Promise<Server> =>
  new Promise((resolve) => {
    const server = createServer(async (incoming, outgoing) => {
      const body: unknown = JSON.parse(await text(incoming));
      received.push(body);
      const [fault] = faultsOf(body);
      const refusal = { type: 'error', error: { type: 'invalid_request_error', message: fault } };
      outgoing.writeHead(fault === undefined ? 200 : 400, { 'content-type': 'application/json' });
      outgoing.end(JSON.stringify(fault === undefined ? answer : refusal));
    });
    server.listen(0, '127.0.0.1', () => resolve(server));
  });
const urlOf = (server: Server): string => {
  const { port }: Partial<AddressInfo> = Object(server.address());
  return `http://127.0.0.1:${port}`;
};

const USAGE = { input_tokens: 1, output_tokens: 1 };
const MESSAGE = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'm',
  stop_reason: 'end_turn',
  usage: USAGE,
};
const CHOICE = { index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'ok' } };

describe('a composed request of a compacted session', () => {
  let anthropic: Server;
  let openai: Server;
  beforeAll(async () => {
    anthropic = await serve(anthropicFaults, { ...MESSAGE, content: [{ type: 'text', text: 'ok' }] });
    openai = await serve(openAiChatFaults, { id: 'chat_1', object: 'chat.completion', choices: [CHOICE] });
  });
  afterAll(() => {
    anthropic.closeAllConnections();
    openai.closeAllConnections();
    anthropic.close();
    openai.close();
  });
  beforeEach(() => received.splice(0));

  it("goes through Anthropic's own client unchanged, and is taken", async () => {
    const client = new Anthropic({
      apiKey: 'none',
      baseURL: urlOf(anthropic),
      maxRetries: 0,
      timeout: 30_000,
    });
    const { request: body } = compose(manifest, 'anthropic');
    const answer = await client.messages.create(JSON.parse(JSON.stringify(body)));
    expect(answer).toMatchObject({ content: [{ text: 'ok' }] });
    expect(received).toEqual([JSON.parse(JSON.stringify(body))]);
  });

  it("goes through OpenAI's own client unchanged, and is taken", async () => {
    const client = new OpenAI({ apiKey: 'none', baseURL: urlOf(openai), maxRetries: 0 });
    const { request: body } = compose(manifest, 'openai-chat');
    const answer = await client.chat.completions.create(JSON.parse(JSON.stringify(body)));
    expect(answer).toMatchObject({ choices: [{ message: { content: 'ok' } }] });
    expect(received).toEqual([JSON.parse(JSON.stringify(body))]);
  });

  it('is refused where a result has lost its call', async () => {
    const client = new Anthropic({
      apiKey: 'none',
      baseURL: urlOf(anthropic),
      maxRetries: 0,
      timeout: 30_000,
    });
    const stray = { type: 'tool_result' as const, tool_use_id: 'c1', content: 'done' };
    const broken = {
      model: 'claude-opus-4-6',
      max_tokens: 10,
      messages: [{ role: 'user' as const, content: [stray] }],
    };
    await expect(client.messages.create(broken)).rejects.toBeInstanceOf(BadRequestError);
  });
});
