import { estimatedTokens, occupancy } from '@app/domain';
import { SessionId, Tokens } from '@app/kernel';
import {
  append,
  appendBilled,
  assistant,
  complete,
  composeRequest,
  counted,
  open,
  request,
  sessionOf,
  sized,
  start,
  usage,
  user,
} from '@app/testing';

const bill = (data: ReturnType<typeof usage>) =>
  ({ type: 'AppendMessages', data: { sessionId: SessionId('s1'), messages: [], usage: data } }) as const;

describe('occupancy', () => {
  const past = [open({ fixedTokens: 10 }), append(sized('u1', 'user', 100), sized('a1', 'assistant', 50))];

  // Holds rule 1.11.
  it('is an estimate of the whole context before the first bill', () => {
    expect(occupancy(sessionOf(...past))).toBe(160);
    expect(estimatedTokens(sessionOf(...past))).toBe(160);
  });

  // Holds rule 1.10.
  it('is the last bill, cache and answer included, plus an estimate of later messages', () => {
    const billed = appendBilled(
      { input: 1, cacheRead: 300, cacheWrite: 20, output: 4 },
      sized('a2', 'assistant', 40),
    );
    expect(occupancy(sessionOf(...past, billed))).toBe(325);
    expect(occupancy(sessionOf(...past, billed, append(sized('u2', 'user', 30))))).toBe(355);
  });

  it('adds an estimate of messages after the billed answer', () => {
    const later = append(sized('a2', 'assistant', 40), sized('u2', 'user', 30));
    expect(occupancy(sessionOf(...past, later, bill(usage({ input: 500, messageId: 'a2' }))))).toBe(530);
  });

  it('uses the last call in any order of bills', () => {
    const second = appendBilled({ input: 700, messageId: 'a2' }, sized('a2', 'assistant', 40));
    const late = bill(usage({ input: 300, messageId: 'a1' }));
    expect(occupancy(sessionOf(...past, second, late))).toBe(700);
  });

  // Holds rule 1.13.
  it.each([
    ['of 0 tokens', {}],
    ['of an aborted call', { input: 900, outcome: 'aborted' as const }],
    ['of a failed call', { input: 900, outcome: 'failed' as const }],
    ['of a request that another program composed', { input: 900, source: 'transcript' as const }],
    ['for an answer that is not in the context', { input: 900, messageId: 'elsewhere' }],
  ])('ignores a bill %s', (_, data) => expect(occupancy(sessionOf(...past, bill(usage(data))))).toBe(160));

  describe('after a compaction', () => {
    const turns = [1, 2, 3, 4, 5].flatMap((n) => [
      sized(`u${n}`, 'user', 150),
      sized(`a${n}`, 'assistant', 150),
    ]);
    const compacted = [
      open({ profile: { keepRecentTurns: 1 } }),
      append(...turns),
      bill(usage({ input: 1_900, messageId: 'a5' })),
      request(),
      start(),
      complete(),
    ];

    it('is an estimate again', () => {
      const session = sessionOf(...compacted);
      expect(occupancy(session)).toBe(estimatedTokens(session));
    });

    // Holds rule 1.13.
    it('ignores a bill for an answer from before it', () => {
      const session = sessionOf(...compacted, bill(usage({ input: 1_900, messageId: 'a5' })));
      expect(occupancy(session)).toBe(estimatedTokens(session));
    });

    // Holds rule 1.13.
    it('ignores a bill for an answer that it covered', () => {
      const session = sessionOf(...compacted, bill(usage({ input: 1_900, messageId: 'a1' })));
      expect(occupancy(session)).toBe(estimatedTokens(session));
    });

    // Holds rules 1.12, 1.13.
    it('ignores a late bill for a request from before it', () => {
      const late = appendBilled({ input: 1_900, messageId: 'a6' }, assistant('a6', 'late'));
      const session = sessionOf(...compacted, late);
      expect(occupancy(session)).toBe(estimatedTokens(session));
    });

    it('uses bills of requests composed since', () => {
      const billed = appendBilled({ input: 444, messageId: 'a6' }, assistant('a6', 'in time'));
      expect(occupancy(sessionOf(...compacted, composeRequest(), billed))).toBe(444);
    });
  });

  it('counts leading system messages as fixed, and never covers them', () => {
    const session = sessionOf(open({ fixedTokens: 10 }), append(sized('s', 'system', 30), user('u1', 'hi')));
    expect(estimatedTokens(session)).toBe(Tokens(40 + counted(user('u1', 'hi')).tokens));
    expect(session.entries.map(({ message }) => message.id)).toEqual(['u1']);
  });
});
