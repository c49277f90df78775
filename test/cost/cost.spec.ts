import { AppendMessages, ComposeRequest, GetContext, GetContextHandler, OpenSession } from '@app/application';
import { type Block, type Message, textBlock } from '@app/domain';
import { MessageId } from '@app/kernel';
import {
  type Application,
  caller,
  openApplication,
  openMemoryLog,
  readTranscript,
  sessionRef,
} from '@app/testing';
import { describe, expect, it } from '@jest/globals';
import { growthOf } from './support/growth.js';

/** CPU time may grow by so much for each doubling. */
const GROWTH_MAX = 2.3;
const LONG_MS = 120_000;
const ref = sessionRef();

const opened = async (messages: readonly Message[] = []): Promise<Application> => {
  const application = openApplication(openMemoryLog());
  const input = { model: 'unknown', profile: 'core', window: 0, systemPrompt: 'x', tools: [], labels: {} };
  await application.commands.execute(new OpenSession(ref, input, caller));
  if (messages.length > 0) await application.commands.execute(new AppendMessages(ref, messages, caller));
  return application;
};
const message = (id: string, role: Message['role'], ...blocks: readonly Block[]): Message => ({
  ...{ id: MessageId(id), role, blocks },
});
const many = <Value>(count: number, oneAt: (at: number) => Value): readonly Value[] =>
  Array.from({ length: count }, (_, at) => oneAt(at));
const call = (at: number, id = `c${at}`): Block => ({ type: 'tool_use', id, name: 'read', input: { at } });
const result = (at: number): Block => ({ type: 'tool_result', tool_use_id: `c${at}`, content: `r${at}` });

/** Sessions that are large in one dimension. */
const SESSIONS: readonly (readonly [
  dimension: string,
  size: number,
  messagesOf: (size: number) => readonly Message[],
])[] = [
  [
    'messages in turns',
    500,
    (size) => many(size, (at) => message(`m${at}`, at % 2 === 0 ? 'user' : 'assistant', textBlock('x'))),
  ],
  ['messages of one role', 500, (size) => many(size, (at) => message(`m${at}`, 'user', textBlock('x')))],
  ['blocks of a message', 500, (size) => [message('m', 'user', ...many(size, () => textBlock('x')))]],
  [
    'calls of a message, answered by one message',
    500,
    (size) => [
      message('q', 'user', textBlock('x')),
      message('a', 'assistant', ...many(size, (at) => call(at))),
      message('r', 'user', ...many(size, result)),
    ],
  ],
  [
    'calls of one id',
    500,
    (size) => [
      message('q', 'user', textBlock('x')),
      message('a', 'assistant', ...many(size, (at) => call(at, 'same'))),
    ],
  ],
  ['length of a text', 20_000, (size) => [message('m', 'user', textBlock('word '.repeat(size)))]],
];

describe.each(SESSIONS)('twice as many: %s', (_dimension, size, messagesOf) => {
  it(
    `AppendMessages, GetContext and ComposeRequest take at most ${GROWTH_MAX} times as long`,
    async () => {
      const grown = {
        append: await growthOf(async (count) => {
          const [application, messages] = [await opened(), messagesOf(count)];
          return () => application.commands.execute(new AppendMessages(ref, messages, caller));
        }, size),
        context: await growthOf(async (count) => {
          const application = await opened(messagesOf(count));
          return () => new GetContextHandler(application.sessions).execute(new GetContext(ref, 'anthropic'));
        }, size),
        compose: await growthOf(async (count) => {
          const application = await opened(messagesOf(count));
          return () => application.commands.execute(new ComposeRequest(ref, { format: 'anthropic' }, caller));
        }, size),
      };
      expect(Object.entries(grown).filter(([, growth]) => growth > GROWTH_MAX)).toEqual([]);
    },
    LONG_MS,
  );
});

/** Transcripts that are large in one dimension. */
const LINE = '{"role":"user","content":"Go."}\n';
const TRANSCRIPTS: readonly (readonly [dimension: string, size: number, textOf: (size: number) => string])[] =
  [
    ['lines', 500, (size) => LINE.repeat(size)],
    [
      'calls of a message',
      500,
      (size) =>
        `${LINE}${JSON.stringify({ role: 'assistant', content: many(size, (at) => call(at)) })}\n${JSON.stringify({ role: 'user', content: many(size, result) })}\n`,
    ],
    ['length of a line', 100_000, (size) => `{"role":"user","content":"${'x'.repeat(size)}"}\n`],
    ['objects on one line', 500, (size) => LINE.trim().repeat(size)],
  ];

it.each(TRANSCRIPTS)(
  `twice as many %s of a transcript take at most ${GROWTH_MAX} times as long to read`,
  async (_dimension, size, textOf) => {
    const growth = await growthOf((count) => {
      const text = textOf(count);
      return () => readTranscript(text, { chunkBytes: 65_536 });
    }, size);
    expect(growth).toBeLessThanOrEqual(GROWTH_MAX);
  },
  LONG_MS,
);
