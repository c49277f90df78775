import { Gateway, type GatewayAnswer, type GatewayCall } from '@app/application';
import type { SessionEvent } from '@app/domain';
import type { WireName } from '@app/formats';
import { IsoTime, isJsonObject, type Json, SessionId } from '@app/kernel';
import {
  caller,
  memoryConversations,
  memoryDigests,
  noModels,
  openApplication,
  openMemoryLog,
  quarterCounter,
} from '@app/testing';
import { GivenLog } from './given-log.js';
import { many, TENANT } from './session-shapes.js';

/** A request format with the provider's answers. */
export type Client = {
  readonly wire: WireName;
  readonly path: string;
  readonly member: 'messages' | 'input';
  readonly answer: object;
  /** The answer as the client appends it to its history. */
  readonly answered: object;
  /** An answer with tool calls, and their results. */
  readonly called: (size: number) => readonly object[];
};

const DONE = 'Done.';
const ANTHROPIC: Client = {
  wire: 'anthropic',
  path: '/v1/messages',
  member: 'messages',
  answer: {
    ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'claude-x' },
    ...{ stop_reason: 'end_turn', stop_sequence: null },
    content: [{ type: 'text', text: DONE }],
    usage: { input_tokens: 100, output_tokens: 2 },
  },
  answered: { role: 'assistant', content: [{ type: 'text', text: DONE }] },
  called: (size) => [
    {
      role: 'assistant',
      content: many(size, (at) => ({ type: 'tool_use', id: `c${at}`, name: 'read', input: {} })),
    },
    {
      role: 'user',
      content: many(size, (at) => ({ type: 'tool_result', tool_use_id: `c${at}`, content: 'x' })),
    },
  ],
};
const CHAT: Client = {
  wire: 'openai-chat',
  path: '/v1/chat/completions',
  member: 'messages',
  answer: {
    ...{ id: 'chatcmpl-1', object: 'chat.completion', created: 1, model: 'gpt-x' },
    choices: [{ index: 0, message: { role: 'assistant', content: DONE }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 100, completion_tokens: 2, total_tokens: 102 },
  },
  answered: { role: 'assistant', content: DONE },
  called: (size) => [
    {
      role: 'assistant',
      content: null,
      tool_calls: many(size, (at) => ({
        id: `c${at}`,
        type: 'function',
        function: { name: 'read', arguments: '{}' },
      })),
    },
    ...many(size, (at) => ({ role: 'tool', tool_call_id: `c${at}`, content: 'x' })),
  ],
};
const SAID = { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: DONE }] };
const RESPONSES: Client = {
  wire: 'openai-responses',
  path: '/v1/responses',
  member: 'input',
  answer: {
    ...{ id: 'resp_1', object: 'response', created_at: 1, status: 'completed', model: 'gpt-x' },
    output: [{ ...SAID, id: 'msg_1', status: 'completed' }],
    usage: { input_tokens: 100, output_tokens: 2, total_tokens: 102 },
  },
  answered: SAID,
  called: (size) => [
    ...many(size, (at) => ({ type: 'function_call', call_id: `c${at}`, name: 'read', arguments: '{}' })),
    ...many(size, (at) => ({ type: 'function_call_output', call_id: `c${at}`, output: 'x' })),
  ],
};

/** Gateway requests that are large in one dimension. */
export const GATEWAY_SHAPES: readonly {
  readonly client: Client;
  readonly name: string;
  readonly size: number;
  readonly messages: (size: number) => readonly object[];
}[] = [ANTHROPIC, CHAT, RESPONSES].flatMap((client) => [
  { client, name: 'messages', size: 500, messages: (size: number) => turnsOf(size) },
  {
    client,
    name: 'calls and results',
    size: 500,
    messages: (size: number) => [{ role: 'user', content: 'Go.' }, ...client.called(size)],
  },
  {
    client,
    name: 'length of a text',
    size: 200_000,
    messages: (size: number) => [{ role: 'user', content: 'word '.repeat(size / 5) }],
  },
  {
    client,
    name: 'blocks of a message',
    size: 500,
    messages: (size: number) => {
      const type = client.wire === 'openai-responses' ? 'input_text' : 'text';
      return [{ role: 'user', content: many(size, () => ({ type, text: 'x' })) }];
    },
  },
]);

const turnsOf = (count: number): readonly object[] =>
  many(count + 1 - (count % 2), (at) => ({ role: at % 2 === 0 ? 'user' : 'assistant', content: `m${at}` }));

const { subscriptions } = openMemoryLog();
const AT = IsoTime('2026-01-01T00:00:00Z');
const bytes = (value: object): Uint8Array => new TextEncoder().encode(JSON.stringify(value));
/** Opens a gateway whose provider answers with one word, and counts 100 tokens. */
export const openGateway = ({ answer }: Client): Gateway => {
  const log = new GivenLog<SessionEvent>(new Map());
  const application = openApplication({ log, subscriptions, waitTimeoutMs: 0 });
  const { sessions, commands } = application;
  return new Gateway({
    ...{
      sessions,
      log,
      commands,
      counter: quarterCounter,
      models: noModels,
      conversations: memoryConversations(),
      keyed: memoryDigests,
    },
    clock: { now: () => AT },
    recall: async () => ({ content: '', isError: false }),
    onProblem: () => {},
    upstream: {
      send: async ({ path }) => ({
        status: 200,
        headers: { 'content-type': 'application/json' },
        body: (async function* () {
          yield bytes(path.endsWith('count_tokens') ? { input_tokens: 100 } : answer);
        })(),
      }),
    },
  });
};

/** Returns a client's request with this history, in a new session. */
export const callWith = ({ wire, path, member }: Client, messages: readonly object[]): GatewayCall => {
  const text = JSON.stringify({ model: 'some', max_tokens: 100, [member]: messages });
  const body: Json = JSON.parse(text);
  if (!isJsonObject(body)) throw new TypeError('a request is an object');
  return {
    ...{
      tenant: TENANT,
      wire,
      path,
      headers: {},
      bringsKey: true,
      caller,
      text,
      bytes: Buffer.from(text),
      body,
    },
    wishes: { session: SessionId('some'), window: 0 },
    isRecordedOnly: false,
    signal: new AbortController().signal,
    take: async () => undefined,
  };
};

/** Returns the corresponding request to count tokens. */
export const countWith = (client: Client, messages: readonly object[]): GatewayCall => {
  const call = callWith(client, messages);
  return { ...call, path: `${call.path}/count_tokens` };
};

/** Reads the whole answer. */
export const readAll = async ({ status, body }: GatewayAnswer): Promise<number> => {
  for await (const _ of body);
  return status;
};
