import { type OpenSession, type Plan, prepare, type SessionCommand } from '@app/domain';
import {
  append,
  assistant,
  call,
  compactable,
  complete,
  completeTurn,
  filler,
  open,
  request,
  result,
  sessionOf,
  sized,
  start,
  system,
  thinking,
  turns,
  user,
} from '@app/testing';

const planOf = (session: OpenSession): Plan => {
  const plan = prepare(session);
  if (plan.kind === 'none') throw new Error(`no plan: ${JSON.stringify(plan.reason)}`);
  return plan;
};
const cutOf = (...commands: SessionCommand[]): string => planOf(sessionOf(...commands)).cut.messageId;

describe('the cut', () => {
  // Holds rule 5.36.
  it('is before the protected turns', () => {
    expect(cutOf(open({ profile: { keepRecentTurns: 1 } }), append(...turns(6, 120)))).toBe('u6');
    expect(cutOf(open({ profile: { keepRecentTurns: 2 } }), append(...turns(6, 120)))).toBe('u5');
    expect(cutOf(open({ profile: { keepRecentTurns: 4 } }), append(...turns(12, 60)))).toBe('u9');
  });

  // Holds rule 5.37.
  it('is before the group that reaches into the protected turns', () =>
    expect(
      cutOf(
        open({ profile: { keepRecentTurns: 1 } }),
        append(
          ...turns(5, 140),
          user('u6', 'go'),
          assistant('a6', call('c')),
          user('u7', result('c'), 'and this'),
          assistant('a7', 'ok'),
        ),
      ),
    ).toBe('a6'));

  // Holds rule 5.38.
  it('is never after the oldest unanswered call', () =>
    expect(
      cutOf(
        open({ profile: { keepRecentTurns: 1 } }),
        append(
          ...turns(4, 160),
          user('u5', 'go'),
          assistant('a5', call('open')),
          user('u6', 'well?'),
          assistant('a6', 'wait'),
        ),
      ),
    ).toBe('a5'));

  // Holds rule 5.39.
  it('may follow that call once it is abandoned', () =>
    expect(
      cutOf(
        open({ profile: { keepRecentTurns: 1 } }),
        append(
          ...turns(4, 160),
          user('u5', 'go'),
          assistant('a5', call('open')),
          user('u6', 'well?'),
          assistant('a6', 'wait'),
        ),
        completeTurn(),
      ),
    ).toBe('u6'));

  // Holds rule 5.41.
  it('moves into the protected turns one by one if they alone exceed the target', () => {
    const plan = planOf(sessionOf(open({ profile: { keepRecentTurns: 4 } }), append(...turns(5, 150))));
    expect(plan.cut.messageId).toBe('u4');
    expect(plan.protection).toEqual({
      by: 'turns',
      kept: 2,
      wanted: 4,
      countedUnreduced: 1_410,
      countedLimit: 999,
      reason:
        'with 4 protected turns the context would take 1410 counted tokens; ' +
        'at most 999 leave room for 2 more turns below the trigger',
    });
  });

  // Holds rule 5.41.
  it('keeps all protected turns under a higher target if two more turns fit below the trigger', () => {
    // 10 of system prompt, 200 for the summary, 4 turns of 200: 1,010, with a target of 960 and a trigger of 1,600.
    const plan = planOf(sessionOf(open({ profile: { keepRecentTurns: 4 } }), append(...turns(8, 100))));
    expect(plan).toMatchObject({
      cut: { messageId: 'u5' },
      target: 1_010,
      targetRaised: { from: 960, reason: 'the 4 protected turns stay whole' },
      protection: undefined,
    });
  });

  // Holds rule 5.42.
  it('splits the newest turn at a group and keeps the turn’s first message', () => {
    const step = (n: number) => [
      assistant(`a${n}`, call(`c${n}`)),
      user(`r${n}`, result(`c${n}`, filler(1_200))),
    ];
    const plan = planOf(
      sessionOf(open(), append(user('u1', 'go'), ...step(1), ...step(2), ...step(3), ...step(4), ...step(5))),
    );
    expect(plan.cut.messageId).toBe('a4');
    expect(plan.carried?.message.id).toBe('u1');
    expect(plan.covered.map(({ message }) => message.id)).toEqual(['a1', 'r1', 'a2', 'r2', 'a3', 'r3']);
    expect(plan.splitPrefix).toEqual(plan.covered);
    expect(plan.protection).toMatchObject({ by: 'turns', kept: 0, wanted: 4 });
  });

  // Holds rule 5.37.
  it('keeps a thinking loop whole', () => {
    const loop = [
      assistant('a1', thinking('hm', 's'), call('c1')),
      user('r1', result('c1', filler(3_000))),
      assistant('a2', call('c2')),
      user('r2', result('c2', filler(3_000))),
    ];
    expect(prepare(sessionOf(open(), append(user('u1', 'go'), ...loop)))).toMatchObject({ kind: 'none' });
  });

  it('may fall on a system message in the middle of the conversation', () =>
    expect(
      cutOf(
        open({ profile: { keepRecentTurns: 1 } }),
        append(user('u1', 'go'), sized('a1', 'assistant', 1_200), system('s1', filler(1_000))),
      ),
    ).toBe('s1'));
});

describe('a plan', () => {
  // Holds rule 5.32.
  it('states the current size and aims at the target', () =>
    expect(planOf(sessionOf(...compactable()))).toMatchObject({
      countedBefore: 1_510,
      target: 960,
      targetRaised: undefined,
      protection: undefined,
      countedSummaryLimit: 200,
      stages: ['summarize'],
      splitPrefix: [],
      carried: undefined,
      previousSummary: undefined,
    }));

  it('states that the target cannot be reached', () => {
    const plan = planOf(
      sessionOf(
        open({ profile: { keepRecentTurns: 1 } }),
        append(...turns(2, 200), sized('u3', 'user', 900)),
      ),
    );
    // 10 of system prompt, 900 of the newest message, 200 for the summary.
    expect(plan).toMatchObject({ target: 1_110, targetRaised: { from: 960 } });
  });

  // Holds rule 5.59.
  it('limits a summary to half of the replaced content, at least 256 tokens and at most its budget', () => {
    const large = { window: 100_000, profile: { keepRecentTurns: 1 } };
    const countedSummaryLimit = (covered: number) =>
      planOf(sessionOf(open(large), append(sized('u1', 'user', covered), sized('u2', 'user', 10))))
        .countedSummaryLimit;
    expect(countedSummaryLimit(1_000)).toBe(500);
    expect(countedSummaryLimit(400)).toBe(256);
    expect(countedSummaryLimit(40_000)).toBe(8_000);
  });

  // Holds rule 2.8.
  it('includes the previous summary in the summarized content', () => {
    const plan = planOf(
      sessionOf(...compactable(), request(), start(), complete(), append(...turns(5, 150, 6))),
    );
    expect(plan.previousSummary).toContain('## Goal');
    expect(plan.covered[0]?.message.id).toBe('u5');
  });

  // Holds rule 5.33.
  it('lists files that were read or changed, including those of earlier compactions', () => {
    const edits = [
      user('u1', 'go'),
      assistant(
        'a1',
        call('c1', 'read_file', { path: 'a.ts' }),
        call('c2', 'str_replace', { file_path: 'b.ts' }),
        call('c3', 'view', { path: 'b.ts' }),
      ),
      user('r1', result('c1'), result('c2'), result('c3')),
    ];
    const first = [open({ profile: { keepRecentTurns: 1 } }), append(...edits, ...turns(5, 150, 2))];
    expect(planOf(sessionOf(...first)).fileOperations).toEqual({ read: ['a.ts'], modified: ['b.ts'] });
    const again = [
      user('u8', 'go'),
      assistant('a8', call('c8', 'edit', { path: 'a.ts' })),
      user('r8', result('c8')),
    ];
    const second = [...first, request(), start(), complete(), append(...again, ...turns(5, 150, 9))];
    expect(planOf(sessionOf(...second)).fileOperations).toEqual({ read: [], modified: ['b.ts', 'a.ts'] });
  });
});

describe('prepare without a plan', () => {
  const reasonOf = (...commands: SessionCommand[]) => {
    const plan = prepare(sessionOf(...commands));
    return plan.kind === 'none' ? plan.reason : plan.kind;
  };

  it('returns none for an empty session', () =>
    expect(reasonOf(open())).toEqual({ rule: 'nothing-to-drop', messages: 0, counted: 10, occupancy: 10 }));

  it('returns none if the whole context is protected', () =>
    expect(reasonOf(open(), append(...turns(4, 100)))).toEqual({
      rule: 'nothing-to-drop',
      messages: 8,
      counted: 810,
      occupancy: 810,
    }));

  it('returns none if the protected turns fit the target, even if they would not fit beside a summary', () =>
    expect(reasonOf(open(), append(...turns(4, 117)))).toEqual({
      rule: 'nothing-to-drop',
      messages: 8,
      counted: 946,
      occupancy: 946,
    }));

  it('returns none if a summary would hardly be shorter', () =>
    expect(
      reasonOf(
        open({ window: 100_000, profile: { keepRecentTurns: 1 } }),
        append(sized('u1', 'user', 200), sized('u2', 'user', 10)),
      ),
    ).toEqual({
      rule: 'no-gain',
      countedBefore: 220,
      countedAfter: 276,
      countedLimit: 198,
    }));

  // Holds rule 5.44.
  it('returns none if strict protection leaves no room', () =>
    expect(
      reasonOf(open({ profile: { keepRecentTurns: 4, protection: 'strict' } }), append(...turns(5, 150))),
    ).toEqual({ rule: 'protection-strict', countedProtected: 1_200, countedTarget: 1_359 }));

  // Holds rule 1.14.
  it('returns none if irreducible parts fill the budget, and names each part', () =>
    expect(
      reasonOf(
        open({ fixedTokens: 600 }),
        append(sized('s', 'system', 100), user('u1', filler(400)), sized('a1', 'assistant', 800)),
      ),
    ).toEqual({
      rule: 'floor-too-high',
      countedFloor: 600 + 100 + 800 + 106,
      countedBudget: 1_600,
      parts: [
        { part: 'system prompt and tools', tokens: 600 },
        { part: 'leading system messages', tokens: 100 },
        { part: 'newest atomic group', tokens: 800 },
        { part: "the group's user message", tokens: 106 },
      ],
    }));

  it('counts the summary among the irreducible parts only if one would be written', () => {
    const floor = [open({ fixedTokens: 1_400 }), append(user('u1', filler(400)))];
    expect(reasonOf(...floor)).toMatchObject({ rule: 'nothing-to-drop' });
    expect(reasonOf(...floor, append(sized('a1', 'assistant', 10), user('u2', 'on')))).toMatchObject({
      rule: 'floor-too-high',
      parts: expect.arrayContaining([{ part: 'reserve for the summary', tokens: 200 }]),
    });
  });
});
