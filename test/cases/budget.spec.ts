import {
  budgetState,
  DEFAULT_PROFILE,
  decide,
  evolve,
  initialState,
  limitsOf,
  manifestOf,
  NO_MODELS,
  occupancy,
  prepare,
  usableBudget,
} from '@app/domain';
import { Tokens } from '@app/kernel';
import {
  append,
  appendBilled,
  assistant,
  call,
  charactersFor,
  checkBudget,
  complete,
  eventsOf,
  filler,
  open,
  result,
  sessionOf,
  sized,
  specificationOf,
  start,
  turns,
  user,
} from '@app/testing';

const given = specificationOf({ initialState, evolve, decide });
const policy = { profile: { keepRecentTurns: 1 } };

describe('case 1: threshold equality', () => {
  // The window of 2,000 tokens puts the trigger at 1,600: ten tokens of system prompt, and five turns.
  const filledTo = (tokens: number) =>
    eventsOf(open(policy), append(...turns(5), sized('a6', 'assistant', tokens - 1_510)));

  it('requests no compaction one token below the trigger', () =>
    given(...filledTo(1_599))
      .when(checkBudget())
      .thenNothing());
  it('requests a compaction at the trigger', () =>
    given(...filledTo(1_600))
      .when(checkBudget())
      .thenRecords('WarningThresholdReached', 'CompactionThresholdHit', 'CompactionRequested'));
  it('requests a compaction one token above the trigger', () =>
    given(...filledTo(1_601))
      .when(checkBudget())
      .thenRecords('WarningThresholdReached', 'CompactionThresholdHit', 'CompactionRequested'));

  // Holds rule 5.81.
  describe.each([
    // The limit to exceed is one token below the first value that fires the trigger.
    ['the reserve', { triggerBy: 'reserve', triggerReserveTokens: 500, warnAtShare: 0.9 } as const, 1_501],
    [
      'the usable budget',
      { triggerBy: 'usable-budget', maxOutputShare: 0.2, warnAtShare: 0.9 } as const,
      1_601,
    ],
  ])('of %s', (_, trigger, least) => {
    const filledTo = (tokens: number) =>
      eventsOf(
        open({ profile: { ...policy.profile, ...trigger } }),
        append(...turns(5, 145), sized('a6', 'assistant', tokens - 1_460)),
      );
    it('requests no compaction at the limit or one token below', () => {
      for (const below of [2, 1])
        given(...filledTo(least - below))
          .when(checkBudget())
          .thenNothing();
    });
    it('requests a compaction one token above the limit', () =>
      given(...filledTo(least))
        .when(checkBudget())
        .thenRecords('CompactionThresholdHit', 'CompactionRequested'));
  });

  it.each([1, 3, 7, 333, 8_191, 128_000, 1_047_576])(
    'is exact in a window of %d tokens, despite floating-point shares',
    (window) => {
      const limits = { window: Tokens(window), windowSource: 'given' } as const;
      const least = Math.ceil((window * 80) / 100);
      expect(budgetState(least, limits, DEFAULT_PROFILE)).not.toBe('normal');
      expect(budgetState(least - 1, limits, DEFAULT_PROFILE)).toBe('normal');
    },
  );
});

describe('case 2: usage with cache fields', () => {
  const past = [open(), append(user('u1', 'go'))];
  const billed = (bill: Parameters<typeof appendBilled>[0]) =>
    occupancy(sessionOf(...past, appendBilled(bill, assistant('a1', 'so'))));
  const estimate = occupancy(sessionOf(...past, append(assistant('a1', 'so'))));

  it('sums input, cache read, cache write and output', () =>
    expect(billed({ input: 100, cacheRead: 1_000, cacheWrite: 50, output: 7 })).toBe(1_157));
  it('ignores usage that is all zero, aborted or failed', () => {
    expect(billed({})).toBe(estimate);
    expect(billed({ input: 100, outcome: 'aborted' })).toBe(estimate);
    expect(billed({ input: 100, outcome: 'failed' })).toBe(estimate);
  });
  it('keeps the previous valid usage in force', () =>
    expect(
      occupancy(
        sessionOf(
          ...past,
          appendBilled({ input: 500 }, assistant('a1', 'so')),
          appendBilled({}, sized('a2', 'assistant', 40)),
        ),
      ),
    ).toBe(540));
});

describe('case 3: usage older than the last compaction', () => {
  const compacted = [open(policy), append(...turns(6)), checkBudget('c1'), start(), complete()];

  it('is void once the compaction is in force', () => {
    const billed = appendBilled({ input: 1_900, messageId: 'a6' }, sized('a7', 'assistant', 10));
    const [opened, said, ...rest] = compacted;
    const before = [opened, said, billed, ...rest].flatMap((command) => (command ? [command] : []));
    expect(occupancy(sessionOf(...before))).toBeLessThan(600);
  });
  it('is ignored if reported later, and requests no second compaction', () => {
    const late = appendBilled({ input: 1_900, messageId: 'a6' });
    given(...eventsOf(...compacted, late))
      .when(checkBudget('c2'))
      .thenNothing();
    const lateAnswer = appendBilled({ input: 1_900, messageId: 'a7' }, assistant('a7', 'so'));
    given(...eventsOf(...compacted, lateAnswer))
      .when(checkBudget('c2'))
      .thenNothing();
  });
});

describe('case 4: a tool result lands after the last usage', () => {
  const past = [
    open({ window: 200_000, ...policy }),
    append(...turns(5, 30_000)),
    appendBilled({ input: 150_000, messageId: 'a6' }, assistant('a6', call('c'))),
  ];
  // Holds rule 4.3.
  it('is counted between a tool batch and the next step', () => {
    const landed = append(user('r6', result('c', filler(charactersFor(25_000)))));
    given(...eventsOf(...past))
      .when(checkBudget())
      .thenNothing();
    expect(occupancy(sessionOf(...past, landed))).toBe(175_000);
    given(...eventsOf(...past, landed))
      .when(checkBudget())
      .thenRecords('WarningThresholdReached', 'CompactionThresholdHit', 'CompactionRequested');
  });
});

describe('case 5: windows of all sizes', () => {
  // Holds rule 1.7.
  it('treats 0 as unlimited: no trigger, but compaction on request', () => {
    const session = sessionOf(open({ window: 0, ...policy }), append(...turns(50, 10_000)));
    expect(decide(checkBudget(), session)).toEqual([]);
    expect(usableBudget(session.limits, session.profile)).toBeUndefined();
    expect(prepare(session)).toMatchObject({ kind: 'plan', cut: { messageId: 'u50' } });
    expect(manifestOf(session).maxOutput).toBeGreaterThan(0);
  });
  // Holds rule 1.8.
  it('records an assumed window as assumed, and uses it like any other', () => {
    const assumed = open({ limits: { windowSource: 'assumed' }, ...policy });
    given()
      .when(assumed)
      .then({
        type: 'SessionOpened',
        data: expect.objectContaining({ limits: { window: 2_000, windowSource: 'assumed' } }),
      });
    given(...eventsOf(assumed, append(...turns(6))))
      .when(checkBudget())
      .thenRecords('WarningThresholdReached', 'CompactionThresholdHit', 'CompactionRequested');
  });
  // Holds rule 1.8.
  it('applies the policy for an unknown window, or rejects the session', () => {
    expect(limitsOf(NO_MODELS, 'nobody-knows-it', DEFAULT_PROFILE)).toMatchObject({
      window: 200_000,
      windowSource: 'assumed',
    });
    expect(() =>
      limitsOf(NO_MODELS, 'nobody-knows-it', { ...DEFAULT_PROFILE, unknownWindow: 'refuse' }),
    ).toThrow(expect.objectContaining({ code: 'unknown-window' }));
  });
  it('rejects a window smaller than the output reserve', () =>
    given()
      .when(open({ window: 4_000, profile: { maxOutputTokens: 8_192, maxOutputShare: 1 } }))
      .thenRefuses('invalid-settings'));
  it('accepts a window of a single token, and rejects only requests that exceed it', () =>
    given(...eventsOf(open({ window: 1 }), append(user('u1', 'go'))))
      .when(checkBudget())
      .thenRecords(
        'WarningThresholdReached',
        'CompactionRequired',
        'BlockingThresholdReached',
        'CompactionThresholdHit',
        'CompactionSkipped',
      ));
});
