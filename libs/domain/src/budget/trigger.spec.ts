import {
  decide,
  evolve,
  initialState,
  type Profile,
  profileNamed,
  pullsTrigger,
  triggerTokens,
} from '@app/domain';
import { Tokens } from '@app/kernel';
import {
  append,
  assistant,
  call,
  checkBudget,
  complete,
  completeTurn,
  eventsOf,
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
const core = profileNamed('core');
const windowOf = (window: number, more = {}) =>
  ({ window: Tokens(window), windowSource: 'given', ...more }) as const;

// Holds rule 5.81.
describe('the trigger', () => {
  it.each<[string, Partial<Profile>, ReturnType<typeof windowOf>, number]>([
    ['by share is at that share', { triggerBy: 'share', triggerAtShare: 0.8 }, windowOf(10_000), 8_000],
    [
      'by reserve is above the window less the reserve',
      { triggerBy: 'reserve', triggerReserveTokens: 1_000 },
      windowOf(10_000),
      9_001,
    ],
    [
      'by a reserve of 0 is above the window',
      { triggerBy: 'reserve', triggerReserveTokens: 0 },
      windowOf(10_000),
      10_001,
    ],
    [
      'by a large reserve is above half of the window',
      { triggerBy: 'reserve', triggerReserveTokens: 8_192 },
      windowOf(10_000),
      5_001,
    ],
    [
      'by a large reserve is above half of an odd window',
      { triggerBy: 'reserve', triggerReserveTokens: 8_192 },
      windowOf(9_999),
      5_000,
    ],
    [
      'by the usable budget is above it',
      { triggerBy: 'usable-budget', maxOutputTokens: 1_500 },
      windowOf(10_000),
      8_501,
    ],
    [
      'by the usable budget uses the model’s longest answer if it is shorter',
      { triggerBy: 'usable-budget', maxOutputTokens: 1_500 },
      windowOf(10_000, { maxOutput: Tokens(500) }),
      9_501,
    ],
    [
      'by the usable budget uses the model’s input limit if it has one',
      { triggerBy: 'usable-budget' },
      windowOf(10_000, { inputLimit: Tokens(7_000) }),
      7_001,
    ],
  ])('%s', (_, fields, limits, trigger) => {
    const profile = { ...core, ...fields };
    expect(triggerTokens(limits, profile)).toBe(trigger);
    expect([-1, 0, 1].map((by) => pullsTrigger(trigger + by, limits, profile))).toEqual([false, true, true]);
  });

  it.each(['share', 'reserve', 'usable-budget'] as const)(
    'by %s never fires without a window',
    (triggerBy) => {
      expect(triggerTokens(windowOf(0), { ...core, triggerBy })).toBeUndefined();
      expect(pullsTrigger(10 ** 9, windowOf(0), { ...core, triggerBy })).toBe(false);
    },
  );

  it('resets when occupancy falls below it, for every measure', () => {
    const reserve = { triggerBy: 'reserve', triggerReserveTokens: 200, keepRecentTurns: 1 } as const;
    const full = [open({ profile: reserve }), append(...turns(6, 155)), checkBudget()];
    expect(sessionOf(...full).crossed.trigger).toBe(true);
    expect(sessionOf(...full, start('auto'), complete('auto')).crossed.trigger).toBe(false);
  });
});

/** Enough to fire the trigger in a window of 2,000 tokens, and less than the required threshold. */
const pulled = (profile: Partial<Profile>) => [
  open({ profile: { keepRecentTurns: 1, triggerAtShare: 0.7, warnAtShare: 0.9, ...profile } }),
  append(...turns(5)),
];
const HIT = ['CompactionThresholdHit', 'CompactionRequested'] as const;

// Holds rule 5.82.
describe('the trigger that is checked after a turn', () => {
  const past = pulled({ triggerCheck: 'turn' });

  it('does not fire during the turn', () =>
    given(...eventsOf(...past))
      .when(checkBudget())
      .thenNothing());
  it('fires when the turn has ended', () =>
    given(...eventsOf(...past, completeTurn()))
      .when(checkBudget())
      .thenRecords(...HIT));
  it('fires when the next turn has begun and has no answer yet', () => {
    const next = [...past, append(sized('u6', 'user', 10))];
    given(...eventsOf(...next))
      .when(checkBudget())
      .thenRecords(...HIT);
    given(...eventsOf(...next, append(sized('a6', 'assistant', 10))))
      .when(checkBudget())
      .thenNothing();
  });
});

// Holds rule 5.82.
describe('the trigger that is checked after a step', () => {
  const past = [
    ...pulled({ triggerCheck: 'step' }),
    append(user('u6', 'go'), assistant('a6', call('x'), call('y'))),
  ];

  it('does not fire while a call of the newest step has no result', () => {
    given(...eventsOf(...past))
      .when(checkBudget())
      .thenNothing();
    given(...eventsOf(...past, append(user('r6', result('x')))))
      .when(checkBudget())
      .thenNothing();
  });
  it('fires when all calls have results', () =>
    given(...eventsOf(...past, append(user('r6', result('x'), result('y')))))
      .when(checkBudget())
      .thenRecords(...HIT));
  it('ignores abandoned calls and calls of older steps', () =>
    given(...eventsOf(...past, append(assistant('b6', 'never mind'))))
      .when(checkBudget())
      .thenRecords('CompactionThresholdHit', 'ToolCallAbandoned', 'CompactionRequested'));
});

// Holds rule 5.82.
describe('a required compaction before a request', () => {
  // 1,510 tokens, and 390 more are 95 % of the window.
  const filled = (triggerCheck: Profile['triggerCheck'], tokens: number) => [
    ...pulled({ triggerCheck }),
    append(user('u6', 'go'), sized('a6', 'assistant', tokens - 1_510 - 7), assistant('b6', call('x'))),
  ];

  it.each(['turn', 'step'] as const)(
    'runs before the request although the trigger is checked after a %s',
    (triggerCheck) => {
      const { entries } = sessionOf(...filled(triggerCheck, 1_900));
      const last = entries.at(-1)?.tokens ?? 0;
      given(...eventsOf(...filled(triggerCheck, 1_899 - last)))
        .when(checkBudget())
        .thenRecords('WarningThresholdReached');
      given(...eventsOf(...filled(triggerCheck, 1_900 - last)))
        .when(checkBudget())
        .thenRecords('WarningThresholdReached', 'CompactionRequired', ...HIT);
    },
  );
});
