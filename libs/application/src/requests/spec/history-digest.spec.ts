import { createHash } from 'node:crypto';
import type { AnthropicRequest } from '@app/domain';
import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { historyDigest } from '../history-digest.js';

type Messages = AnthropicRequest['messages'];

const type = fc.constant('text' as const);
const content = fc.array(
  fc.oneof(fc.record({ type, text: fc.string({ unit: 'binary' }) }), fc.record({ text: fc.string(), type })),
  { maxLength: 3 },
);
const message = fc.record({ role: fc.constantFrom('user' as const, 'assistant' as const), content });
const history = fc.array(message, { maxLength: 12 });

/** What may happen to a request before the next one of its session. */
type Change = (request: AnthropicRequest) => AnthropicRequest;
const editOf =
  (edit: (messages: Messages) => Messages): Change =>
  (request) => ({ ...request, messages: edit(request.messages) });
const change: fc.Arbitrary<Change> = fc.oneof(
  history.map((more) => editOf((messages) => [...messages, ...more])),
  fc.nat(8).map((count) => editOf((messages) => messages.slice(count))),
  fc
    .tuple(fc.nat(20), message)
    .map(([at, other]) => editOf((messages) => messages.map((one, place) => (place === at ? other : one)))),
  fc.constant(editOf((messages) => structuredClone(messages))),
  fc.nat(2).map(
    (tokens): Change =>
      (request) => ({ ...request, max_tokens: tokens }),
  ),
  fc.constant<Change>((request) => ({ ...request, tools: [{ name: 'read' }] })),
);

it('is the digest of the JSON text, whatever the request before it was', () =>
  fc.assert(
    fc.asyncProperty(history, fc.array(change, { maxLength: 8 }), async (first, changes) => {
      const session = {};
      let request: AnthropicRequest = { model: 'claude-opus-4-6', max_tokens: 1, messages: first };
      for (const next of [editOf((messages) => messages), ...changes]) {
        request = next(request);
        const whole = createHash('sha256').update(JSON.stringify(request)).digest('hex');
        expect(await historyDigest(request, session)).toBe(whole);
        expect(await historyDigest(request, undefined)).toBe(whole);
      }
    }),
  ));

it('reads the settled part of a history once', async () => {
  const read = new Set<string>();
  const said = (text: string): Messages[number] => ({
    role: 'user',
    content: [
      {
        type: 'text',
        get text() {
          read.add(text);
          return text;
        },
      },
    ],
  });
  const messages = Array.from({ length: 100 }, (_, at) => said(`message ${at}`));
  const session = {};
  const request = { model: 'claude-opus-4-6', max_tokens: 1 };
  await historyDigest({ ...request, messages }, session);
  expect(read.size).toBe(100);
  read.clear();
  await historyDigest({ ...request, messages: [...messages, said('one more')] }, session);
  expect([...read]).toEqual(['message 96', 'message 97', 'message 98', 'message 99', 'one more']);
});
