import { compose, type Message, manifestOf, rebuild, WIRE_FORMATS } from '@app/domain';
import {
  append,
  assistant,
  call,
  complete,
  completeTurn,
  filler,
  goodSummary,
  image,
  open,
  openOf,
  request,
  result,
  run,
  type SessionRun,
  start,
  tailOf,
  thinking,
  user,
} from '@app/testing';
import { contextFaults } from '../support/context-faults.js';

const COMPACTIONS = 33;
const MESSAGES = 5_600;
/** Messages between two compactions; the rest follows the last one. */
const BETWEEN = 160;
const OF_A_TURN = 8;

const turn = (n: number): Message[] => [
  user(`q${n}`, `question ${n}`, ...(n % 7 === 0 ? [image()] : [])),
  assistant(`t${n}`, thinking(`thought ${n}`, `sig${n}`), call(`c${n}`), call(`d${n}`)),
  user(`r${n}`, result(`d${n}`, filler(300)), result(`c${n}`)),
  assistant(`m${n}`, 'and then', call(`e${n}`)),
  user(`s${n}`, result(`e${n}`, filler(200))),
  assistant(`w${n}`, 'so'),
  user(`p${n}`, 'and?'),
  assistant(`a${n}`, `answer ${n}`),
];
const turns = (from: number, count: number): Message[] =>
  Array.from({ length: count }, (_, at) => turn(from + at)).flat();

/** A session after years of use. */
const longSession = (): SessionRun => {
  let played = run([open({ window: 20_000, systemPrompt: 'You have been an agent for years.' })]);
  const perPart = BETWEEN / OF_A_TURN;
  for (let n = 1; n <= COMPACTIONS; n += 1) {
    const id = `c${n}`;
    const summary = { text: goodSummary(`what compaction ${n} has made of it`) };
    played = run(
      [
        append(...turns((n - 1) * perPart, perPart)),
        completeTurn(),
        request(id),
        start(id),
        complete(id, { summary }),
      ],
      played,
    );
  }
  const left = (MESSAGES - COMPACTIONS * BETWEEN) / OF_A_TURN;
  return run([append(...turns(COMPACTIONS * perPart, left))], played);
};

describe('case 36: a session with 33 compactions and 5,600 messages', () => {
  const played = longSession();
  const session = openOf(played);
  const reasoning = played.stream.flatMap(({ event }) =>
    event.type === 'MessageAppended'
      ? event.data.message.blocks
          .filter(({ type }) => type === 'thinking')
          .map((block) => JSON.stringify(block))
      : [],
  );

  it('has these counts', () => {
    const count = (type: string): number => played.stream.filter(({ event }) => event.type === type).length;
    expect([count('CompactionApplied'), count('MessageAppended')]).toEqual([COMPACTIONS, MESSAGES]);
    expect(session.compactions).toBe(COMPACTIONS);
  });

  it.each(WIRE_FORMATS)('composes a valid request for %s', (format) => {
    const { request: body, violations } = compose(manifestOf(session), format);
    expect(violations).toEqual([]);
    expect(contextFaults(format, body, reasoning)).toEqual([]);
    const bytes = JSON.stringify(body);
    expect(bytes.match(/<conversation-record/g)).toHaveLength(1);
    expect(bytes).toContain('what compaction 33 has made of it');
    expect(bytes).toContain('You have been an agent for years.');
    expect(bytes).not.toContain('question 600"');
    expect(bytes).toContain('question 699');
  });

  it('is restored from its newest compaction, at a cost independent of its age', () => {
    const tail = tailOf(played.stream);
    expect(rebuild(tail)).toStrictEqual(played.states.at(-1));
    const messages = [...(tail.pivot?.before ?? []), ...tail.after].filter(
      ({ event }) => event.type === 'MessageAppended',
    );
    expect(messages.length).toBe(session.entries.length);
    expect(messages.length).toBeLessThan(2 * BETWEEN + OF_A_TURN * 6);
  });
});
