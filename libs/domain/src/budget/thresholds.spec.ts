import {
  budgetState,
  DEFAULT_PROFILE,
  decide,
  evolve,
  initialState,
  outputReserve,
  profileNamed,
  summaryBudget,
  targetTokens,
  triggerTokens,
  usableBudget,
} from '@app/domain';
import { AppError, Tokens } from '@app/kernel';
import {
  append,
  appendBilled,
  assistant,
  checkBudget,
  complete,
  eventsOf,
  open,
  sized,
  specificationOf,
  start,
  turns,
} from '@app/testing';

const given = specificationOf({ initialState, evolve, decide });
const limits = { window: Tokens(1_000), windowSource: 'given' } as const;
const unlimited = { window: Tokens(0), windowSource: 'given' } as const;

describe('the state of the budget', () => {
  // Holds rule 4.1.
  it.each([
    [799, 'normal'],
    [800, 'warning'],
    [949, 'warning'],
    [950, 'critical'],
    [979, 'critical'],
    [980, 'blocking'],
  ])('at %d of 1,000 tokens is %s', (occupancy, state) =>
    expect(budgetState(occupancy, limits, DEFAULT_PROFILE)).toBe(state),
  );

  it('is normal without a window at any occupancy', () =>
    expect(budgetState(10 ** 9, unlimited, DEFAULT_PROFILE)).toBe('normal'));
});

describe('the sizes of a policy', () => {
  // Holds rule 5.62.
  it('are derived from the window', () => {
    expect(triggerTokens(limits, DEFAULT_PROFILE)).toBe(800);
    expect(targetTokens(limits, DEFAULT_PROFILE)).toBe(480);
    expect(summaryBudget(limits, DEFAULT_PROFILE)).toBe(100);
    expect(summaryBudget({ ...limits, window: Tokens(10 ** 6) }, DEFAULT_PROFILE)).toBe(8_000);
  });

  // Holds rule 1.9.
  it('reserve for the answer the smallest of the model’s maximum, the cap and the share', () => {
    expect(outputReserve(limits, DEFAULT_PROFILE)).toBe(200);
    expect(outputReserve({ ...limits, maxOutput: Tokens(50) }, DEFAULT_PROFILE)).toBe(50);
    expect(outputReserve({ ...limits, window: Tokens(10 ** 6) }, DEFAULT_PROFILE)).toBe(8_192);
    expect(usableBudget(limits, DEFAULT_PROFILE)).toBe(800);
    expect(usableBudget({ ...limits, inputLimit: Tokens(700) }, DEFAULT_PROFILE)).toBe(700);
  });

  it('do not exist without a window', () => {
    expect(triggerTokens(unlimited, DEFAULT_PROFILE)).toBeUndefined();
    expect(targetTokens(unlimited, DEFAULT_PROFILE)).toBeUndefined();
    expect(usableBudget(unlimited, DEFAULT_PROFILE)).toBeUndefined();
  });
});

describe('a profile', () => {
  it('is found by its name', () => expect(profileNamed('core')).toBe(DEFAULT_PROFILE));
  it('is rejected under an unknown name, with the list of valid names', () => {
    expect(() => profileNamed('best')).toThrow(AppError);
    expect(() => profileNamed('best')).toThrow(/core, authorized, tail, staged, pivot, deterministic/);
  });
});

describe('checking the budget', () => {
  // Five turns that can be compacted, and their usage.
  const past = (billed: number) => [
    open({ window: 10_000, profile: { keepRecentTurns: 1 } }),
    append(...turns(5)),
    appendBilled({ input: billed, messageId: 'a6' }, assistant('a6', 'so')),
  ];

  // Holds rule 5.1.
  it('records no event one token below the threshold', () =>
    given(...eventsOf(...past(7_999)))
      .when(checkBudget())
      .thenNothing());

  // Holds rule 5.1.
  it('records the warning and requests a compaction at the threshold', () =>
    given(...eventsOf(...past(8_000)))
      .when(checkBudget())
      .thenRecords('WarningThresholdReached', 'CompactionThresholdHit', 'CompactionRequested'));

  it('records that a compaction is required at the next threshold', () => {
    given(...eventsOf(...past(9_499), checkBudget()))
      .when(checkBudget())
      .thenNothing();
    given(...eventsOf(...past(9_500), checkBudget()))
      .when(checkBudget())
      .thenNothing();
    given(...eventsOf(...past(9_500)))
      .when(checkBudget())
      .thenRecords(
        'WarningThresholdReached',
        'CompactionRequired',
        'CompactionThresholdHit',
        'CompactionRequested',
      );
  });

  it('records occupancy, threshold, window and turn', () => {
    const [warning] = given(...eventsOf(...past(8_000)))
      .when(checkBudget())
      .events();
    expect(warning).toEqual({
      type: 'WarningThresholdReached',
      data: { occupancy: 8_000, threshold: 8_000, window: 10_000, turn: 5 },
    });
  });

  // Holds rule 4.2.
  it('records a second crossing only after occupancy fell below the threshold', () => {
    const high = [...past(8_000), checkBudget(), start('auto'), complete('auto')];
    const fallen = eventsOf(...high, appendBilled({ input: 7_999, messageId: 'a7' }, assistant('a7', 'so')));
    given(...fallen)
      .when(checkBudget('next'))
      .thenNothing();
    given(...fallen, ...eventsOfBill(8_000, 'a8'))
      .when(checkBudget('next'))
      .thenRecords('WarningThresholdReached', 'CompactionThresholdHit', 'CompactionSkipped');
  });

  // Holds rules 4.5, 4.11.
  it('records only the warning if compactions need authorization', () =>
    given(
      ...eventsOf(open({ profile: { mode: 'authorized', keepRecentTurns: 1 } }), append(...turns(5, 160))),
    )
      .when(checkBudget())
      .thenRecords('WarningThresholdReached'));

  // Holds rule 5.71.
  it('requests no compaction in the turn in which one failed', () => {
    const failed = [
      open({ profile: { keepRecentTurns: 1, maxAttempts: 1 } }),
      append(...turns(6)),
      checkBudget('c1'),
      start(),
      complete('c1', { summary: { text: '' } }),
    ];
    given(...eventsOf(...failed))
      .when(checkBudget('c2'))
      .thenNothing();
    given(...eventsOf(...failed, append(sized('u7', 'user', 10))))
      .when(checkBudget('c2'))
      .thenRecords('CompactionThresholdHit', 'CompactionRequested');
  });
});

const eventsOfBill = (input: number, id: string) =>
  eventsOf(open(), appendBilled({ input, messageId: id }, assistant(id, 'so'))).slice(1);
