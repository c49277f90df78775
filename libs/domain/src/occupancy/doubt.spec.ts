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

describe('the doubt about the size of a request', () => {
  // The trigger and the first warning are at 8,000 tokens.
  it.each([
    [4_600, false],
    [4_800, true],
    [8_000, true],
    [10_600, true],
    [13_400, false],
  ])('without a bill at %d counted tokens: %s', (tokens, isDoubtful) =>
    expect(isSizeInDoubt(sessionOf(opened, append(sized('u1', 'user', tokens))))).toBe(isDoubtful),
  );

  it('grows with the unbilled part', () => {
    const billed = [opened, appendBilled({ input: 7_000, messageId: 'a1' }, assistant('a1', 'so'))];
    expect(isSizeInDoubt(sessionOf(...billed))).toBe(false);
    expect(isSizeInDoubt(sessionOf(...billed, append(sized('u2', 'user', 500))))).toBe(false);
    expect(isSizeInDoubt(sessionOf(...billed, append(sized('u2', 'user', 600))))).toBe(true);
  });

  it('shrinks once the provider has reported enough usage for a calibration', () => {
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

  it('is not reduced by a calibration from a first bill alone', () => {
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

  it('does not exist under another policy, or without a window', () => {
    const full = append(sized('u1', 'user', 8_000));
    expect(isSizeInDoubt(sessionOf(open({ window: 10_000 }), full))).toBe(false);
    const unlimited = open({ window: 0, profile: { tokenCounting: 'provider' } });
    expect(isSizeInDoubt(sessionOf(unlimited, full))).toBe(false);
  });

  it('ends once the provider has counted the request', () => {
    const session = sessionOf(opened, append(sized('u1', 'user', 6_000)), counted(8_100));
    expect(occupancy(session)).toBe(8_100);
    expect(isSizeInDoubt(session)).toBe(false);
  });
});

describe('a provider’s token count', () => {
  it('is extended by an estimate of later messages, and replaced by the next bill', () => {
    const past = [opened, append(sized('u1', 'user', 6_000)), counted(8_100)];
    expect(occupancy(sessionOf(...past, append(sized('u2', 'user', 100))))).toBe(8_200);
    const billed = appendBilled({ input: 8_050, messageId: 'a1' }, assistant('a1', 'so'));
    expect(occupancy(sessionOf(...past, billed))).toBe(8_050);
  });

  it('calibrates like a bill', () => {
    const [learned] = sessionOf(opened, append(sized('u1', 'user', 6_000)), counted(8_100)).calibrations;
    expect(learned).toMatchObject({ samples: 1, counted: 6_000, reported: 8_100 });
  });
});
