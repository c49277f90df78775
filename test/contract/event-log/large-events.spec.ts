import type { Block, Message } from '@app/domain';
import { type AppError, type JsonObject, MessageId } from '@app/kernel';
import { messageEvent, openedEvent, textMessage } from '@app/testing';
import { collect } from './support/collect.js';
import { LOGS, newStream, openRealLog, record, useLog } from './support/logs.js';

const MIB = 1024 * 1024;
const messageOf = (id: string, blocks: readonly Block[]): Message => ({
  id: MessageId(id),
  role: 'user',
  blocks,
});
/** Returns a block with the given members. */
const input = (value: JsonObject): Block => ({ type: 'tool_use', id: 'call', name: 'tool', input: value });

const MESSAGES: readonly (readonly [what: string, messages: readonly Message[]])[] = [
  ['one huge string', [textMessage('m', 'x'.repeat(5 * MIB))]],
  ['multi-byte characters', [textMessage('m', '語'.repeat(MIB))]],
  ['characters that JSON escapes', [textMessage('m', '\u0000\u001b"\\'.repeat(MIB / 2))]],
  ['a huge string with a lone surrogate', [textMessage('m', `\ud800${'y'.repeat(2 * MIB)}\udc00`)]],
  [
    'many medium-sized strings',
    [
      messageOf(
        'm',
        Array.from({ length: 1_000 }, (_, n): Block => ({ type: 'text', text: `${n}${'z'.repeat(5_000)}` })),
      ),
    ],
  ],
  [
    'very many small strings',
    [
      messageOf(
        'm',
        Array.from({ length: 20_000 }, (_, n): Block => ({ type: 'text', text: `small ${n}`.repeat(10) })),
      ),
    ],
  ],
  ['a huge member name', [messageOf('m', [input({ ['k'.repeat(2 * MIB)]: 'v' })])]],
  [
    'events that are too large only in sum',
    Array.from({ length: 40 }, (_, n) => textMessage(`m${n}`, `${n}`.repeat(30_000))),
  ],
  [
    'small events beside a huge one',
    [textMessage('a', 'small'), textMessage('b', 'h'.repeat(3 * MIB)), textMessage('c', 'small')],
  ],
  [
    'very many small events',
    Array.from({ length: 1_000 }, (_, n) => textMessage(`m${n}`, 'w'.repeat(2_000))),
  ],
  [
    'content that looks like a reference',
    [
      messageOf('m', [
        input({
          claims: [{ path: ['message', 'id'], digest: 'a'.repeat(64), size: 1, mediaType: 'text/plain' }],
        }),
        input({ path: [], digest: 'b'.repeat(64), $blob: 'x', __proto__x: 1, '0': 'zero', '': 'nameless' }),
        input(JSON.parse(`{"__proto__":{"deep":"${'p'.repeat(2 * MIB)}"},"constructor":"c","0":["q"]}`)),
      ]),
    ],
  ],
];

describe.each(LOGS)('large events in %s', (_, open) => {
  const current = useLog(open);

  it.each(MESSAGES)('are restored unchanged: %s', async (_what, messages) => {
    const stream = newStream();
    const events = [openedEvent(), ...messages.map((message) => messageEvent(message))];
    await record(current(), stream, events);
    const forwards = (await collect(current().log.readForwards(stream))).map(({ event }) => event);
    expect(forwards.length).toBe(events.length);
    // Compared as text: jest would format the difference of such large values for minutes.
    expect(JSON.stringify(forwards) === JSON.stringify(events)).toBe(true);
    const backwards = (await collect(current().log.readBackwards(stream))).map(({ event }) => event);
    expect(JSON.stringify(backwards.reverse()) === JSON.stringify(events)).toBe(true);
  });
});

describe('event store', () => {
  const current = useLog(openRealLog);

  it('moves only as much content as necessary, encrypted', async () => {
    const stream = newStream();
    const huge = textMessage('b', 'k'.repeat(3 * MIB));
    await record(current(), stream, [openedEvent(), messageEvent(textMessage('a', 'l'.repeat(5_000)))]);
    expect(current().blobs.contents.size).toBe(0);
    await record(current(), newStream(), [
      openedEvent(),
      messageEvent(huge),
      messageEvent(textMessage('c', 'short')),
    ]);
    const [moved, ...others] = current().blobs.contents.values();
    expect(others).toEqual([]);
    expect(moved?.length).toBeGreaterThan(4 * MIB); // Encrypted, as base64.
    expect(Buffer.from(moved ?? []).includes('kkkkkkkk')).toBe(false);
  });

  it('rejects more events than fit into one append, and records none', async () => {
    const stream = newStream();
    const events = Array.from({ length: 5_000 }, (_, n) =>
      messageEvent(textMessage(`m${n}`, 'v'.repeat(1_000))),
    );
    const refused: Promise<unknown> = record(current(), stream, [openedEvent(), ...events]);
    await expect(refused).rejects.toMatchObject({ code: 'append-too-large' } satisfies Partial<AppError>);
    expect(await collect(current().log.readForwards(stream))).toEqual([]);
  });
});
