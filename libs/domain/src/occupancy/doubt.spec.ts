import { calibrationInForce, isSizeInDoubt, occupancy } from '@app/domain';
import { SessionId, Tokens } from '@app/kernel';
import { append, appendBilled, assistant, open, sessionOf, sized } from '@app/testing';

const opened = open({ window: 10_000, fixedTokens: 0, profile: { tokenCounting: 'provider' } });
const counted = (tokens: number) =>
  ({
    type: 'CountRequest',
    data: {
      sessionId: SessionId('s1'),
      contributed: Tokens(0),
      answer: { tokens: Tokens(tokens) },
    },
  }) as const;

describe('the size of a request is in doubt', () => {
  // The trigger and the first warning are at 8,000 tokens.
  it.each([
    [4_600, false],
    [4_800, true],
    [8_000, true],
    [10_600, true],
    [13_400, false],
  ])('where nothing was billed and %d tokens were counted: %s', (tokens, isDoubtful) =>
    expect(isSizeInDoubt(sessionOf(opened, append(sized('u1', 'user', tokens))))).toBe(isDoubtful),
  );

  it('as far as it was not billed', () => {
    const billed = [opened, appendBilled({ input: 7_000, messageId: 'a1' }, assistant('a1', 'so'))];
    expect(isSizeInDoubt(sessionOf(...billed))).toBe(false);
    expect(isSizeInDoubt(sessionOf(...billed, append(sized('u2', 'user', 500))))).toBe(false);
    expect(isSizeInDoubt(sessionOf(...billed, append(sized('u2', 'user', 600))))).toBe(true);
  });

  it('less where the provider has reported enough to learn from', () => {
    // The first bill pays for nothing that was counted, and teaches nothing.
    const reports = [1, 2, 3, 4].map((n) => {
      const bill = appendBilled({ input: 1_000 * n, messageId: `a${n}` }, sized(`a${n}`, 'assistant', 1_000));
      return { ...bill, data: { ...bill.data, perThousand: 1_000 } };
    });
    const session = sessionOf(opened, ...reports);
    expect(calibrationInForce(session)).toBeDefined();
    const later = (tokens: number) => sessionOf(opened, ...reports, append(sized('u', 'user', tokens)));
    expect(isSizeInDoubt(later(3_000))).toBe(false);
    expect(isSizeInDoubt(later(3_900))).toBe(true);
  });

  it('as much as without a calibration where one rests on a first bill alone, however plausible it is', () => {
    const billed = appendBilled({ input: 1_000, messageId: 'a1' }, assistant('a1', 'so'));
    const session = sessionOf(
      opened,
      append(sized('u1', 'user', 1_000)),
      billed,
      append(sized('u2', 'user', 4_500)),
    );
    expect(calibrationInForce(session)).toMatchObject({ samples: 1 });
    expect(isSizeInDoubt(session)).toBe(true);
  });

  it('never by another policy, or without a window', () => {
    const full = append(sized('u1', 'user', 8_000));
    expect(isSizeInDoubt(sessionOf(open({ window: 10_000 }), full))).toBe(false);
    const unlimited = open({ window: 0, profile: { tokenCounting: 'provider' } });
    expect(isSizeInDoubt(sessionOf(unlimited, full))).toBe(false);
  });

  it('no more once the provider has counted it', () => {
    const session = sessionOf(opened, append(sized('u1', 'user', 6_000)), counted(8_100));
    expect(occupancy(session)).toBe(8_100);
    expect(isSizeInDoubt(session)).toBe(false);
  });
});

describe('a provider’s count', () => {
  it('gives way to what is counted of what comes after it, and to the next bill', () => {
    const past = [opened, append(sized('u1', 'user', 6_000)), counted(8_100)];
    expect(occupancy(sessionOf(...past, append(sized('u2', 'user', 100))))).toBe(8_200);
    const billed = appendBilled({ input: 8_050, messageId: 'a1' }, assistant('a1', 'so'));
    expect(occupancy(sessionOf(...past, billed))).toBe(8_050);
  });

  it('teaches what a bill would', () => {
    const [learned] = sessionOf(opened, append(sized('u1', 'user', 6_000)), counted(8_100)).calibrations;
    expect(learned).toMatchObject({ samples: 1, counted: 6_000, reported: 8_100 });
  });
});
