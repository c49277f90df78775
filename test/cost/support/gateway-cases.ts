import { Gateway, type GatewayCall } from '@app/application';
import type { SessionEvent } from '@app/domain';
import { IsoTime, isJsonObject, type Json, SessionId } from '@app/kernel';
import {
  caller,
  memoryConversations,
  noModels,
  openApplication,
  openMemoryLog,
  quarterCounter,
} from '@app/testing';
import { GivenLog } from './given-log.js';
import { many, TENANT } from './session-shapes.js';

/** Requests of a gateway's client that are large in one dimension; `before` were sent and answered already. */
export const GATEWAY_SHAPES: readonly {
  readonly name: string;
  readonly size: number;
  readonly messages: (size: number) => readonly object[];
}[] = [
  { name: 'messages', size: 500, messages: (size) => turnsOf(size) },
  {
    name: 'blocks of a message',
    size: 500,
    messages: (size) => [{ role: 'user', content: many(size, () => ({ type: 'text', text: 'x' })) }],
  },
  {
    name: 'calls and results',
    size: 500,
    messages: (size) => [
      { role: 'user', content: 'Go.' },
      {
        role: 'assistant',
        content: many(size, (at) => ({ type: 'tool_use', id: `c${at}`, name: 'read', input: {} })),
      },
      {
        role: 'user',
        content: many(size, (at) => ({ type: 'tool_result', tool_use_id: `c${at}`, content: 'x' })),
      },
    ],
  },
  {
    name: 'length of a text',
    size: 200_000,
    messages: (size) => [{ role: 'user', content: 'word '.repeat(size / 5) }],
  },
];

const turnsOf = (count: number): readonly object[] =>
  many(count + 1 - (count % 2), (at) => ({ role: at % 2 === 0 ? 'user' : 'assistant', content: `m${at}` }));

const { subscriptions } = openMemoryLog();
const AT = IsoTime('2026-01-01T00:00:00Z');
const bytes = (value: object): Uint8Array => new TextEncoder().encode(JSON.stringify(value));
const ANSWER = {
  ...{
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'claude-x',
    stop_reason: 'end_turn',
    stop_sequence: null,
  },
  content: [{ type: 'text', text: 'Done.' }],
  usage: { input_tokens: 100, output_tokens: 2 },
};

/** A gateway before a provider that answers everything in a word. */
export const openGateway = (): Gateway => {
  const log = new GivenLog<SessionEvent>(new Map());
  const application = openApplication({ log, subscriptions, patienceMs: 0 });
  const { sessions, commands } = application;
  return new Gateway({
    ...{
      sessions,
      log,
      commands,
      counter: quarterCounter,
      models: noModels,
      conversations: memoryConversations(),
    },
    clock: { now: () => AT },
    recall: async () => ({ content: '', isError: false }),
    onProblem: () => {},
    upstream: {
      send: async () => ({
        status: 200,
        headers: { 'content-type': 'application/json' },
        body: (async function* () {
          yield bytes(ANSWER);
        })(),
      }),
    },
  });
};

/** A client's request with this history, for a session of its own. */
export const callWith = (messages: readonly object[]): GatewayCall => {
  const text = JSON.stringify({ model: 'claude-x', max_tokens: 100, messages });
  const body: Json = JSON.parse(text);
  if (!isJsonObject(body)) throw new TypeError('a request is an object');
  return {
    ...{
      tenant: TENANT,
      wire: 'anthropic',
      path: '/v1/messages',
      headers: {},
      bringsKey: true,
      caller,
      text,
      body,
    },
    wishes: { session: SessionId('some'), window: 0 },
    signal: new AbortController().signal,
    take: async () => undefined,
  };
};

/** Sends a request, and reads all of its answer. */
export const serve = async (gateway: Gateway, call: GatewayCall): Promise<number> => {
  const { status, body } = await gateway.serve(call);
  for await (const _ of body);
  return status;
};
