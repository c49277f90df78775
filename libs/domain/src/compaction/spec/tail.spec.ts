import { type OpenSession, type Plan, type Profile, prepare, profileNamed, runningPlan } from '@app/domain';
import {
  append,
  assistant,
  call,
  complete,
  completeTurn,
  filler,
  type Opening,
  open,
  openOf,
  request,
  result,
  run,
  sessionOf,
  sized,
  start,
  turns,
  user,
} from '@app/testing';

const planOf = (session: OpenSession): Plan => {
  const plan = prepare(session);
  if (plan.kind === 'none') throw new Error(`no plan: ${JSON.stringify(plan.reason)}`);
  return plan;
};
/** A session with a tail of the given tokens, in a window without triggers. */
const keeping = (keepRecentTokens: number, profile: Partial<Profile> = {}, opening: Opening = {}) =>
  open({ window: 20_000, ...opening, profile: { keepBy: 'tokens', keepRecentTokens, ...profile } });
/** A step of two messages: a call, and its result, with `tokens` or a few more between them. */
const step = (n: number, tokens: number) => [
  assistant(`a${n}`, call(`c${n}`)),
  user(`r${n}`, result(`c${n}`, filler(tokens * 4))),
];

// Holds rule 5.83.
describe('a tail of tokens', () => {
  // Twenty messages of 100 tokens each.
  const cutOf = (keep: number): string =>
    planOf(sessionOf(keeping(keep), append(...turns(10, 100)))).cut.messageId;

  it('begins with the message at which the newest messages reach the requested size', () => {
    expect(cutOf(399)).toBe('u9');
    expect(cutOf(400)).toBe('u9');
    expect(cutOf(401)).toBe('a8');
  });

  it('holds the whole session if it is smaller', () =>
    expect(prepare(sessionOf(keeping(2_001), append(...turns(10, 100))))).toMatchObject({
      kind: 'none',
      reason: { rule: 'nothing-to-drop' },
    }));

  it('keeps a group whole whose call lies inside the limit and drops one whose results cross it', () => {
    const past = append(...turns(3, 400, 9), user('u1', 'go'), ...[1, 2, 3].flatMap((n) => step(n, 500)));
    const sizes = sessionOf(keeping(1), past).entries.map(({ tokens }) => tokens);
    const newest = (sizes.at(-1) ?? 0) + (sizes.at(-2) ?? 0);
    const cutAt = (keep: number) => planOf(sessionOf(keeping(keep), past)).cut.messageId;
    expect(cutAt(newest)).toBe('a3');
    expect(cutAt(newest + 1)).toBe('a3');
    expect(cutAt(newest + (sizes.at(-3) ?? 0))).toBe('a3');
    expect(cutAt(newest + (sizes.at(-3) ?? 0) + 1)).toBe('a2');
  });

  it('is the newest group with its user message if its results alone exceed the limit', () => {
    const plan = planOf(
      sessionOf(keeping(100), append(...turns(3, 200), user('u4', 'go'), ...step(4, 100), ...step(5, 900))),
    );
    expect(plan.cut.messageId).toBe('a5');
    expect(plan.carried?.message.id).toBe('u4');
    expect(plan.splitPrefix.map(({ message }) => message.id)).toEqual(['a4', 'r4']);
  });

  it('of 0 tokens is the newest group with its user message', () => {
    const split = planOf(sessionOf(keeping(0), append(...turns(3, 200), user('u4', 'go'), ...step(4, 300))));
    expect(split.cut.messageId).toBe('a4');
    expect(split.carried?.message.id).toBe('u4');
    expect(split.retained.map(({ message }) => message.id)).toEqual(['a4', 'r4']);
    const asked = planOf(sessionOf(keeping(0), append(...turns(3, 200), sized('u4', 'user', 10))));
    expect(asked).toMatchObject({ cut: { messageId: 'u4' }, carried: undefined, splitPrefix: [] });
  });

  it('splits a larger turn: its older part is summarized, and its first message stays', () => {
    const steps = [1, 2, 3, 4, 5, 6].flatMap((n) => step(n, 300));
    const plan = planOf(sessionOf(keeping(700), append(...turns(2, 200, 8), user('u1', 'go'), ...steps)));
    expect(plan.cut.messageId).toBe('a5');
    expect(plan.carried?.message.id).toBe('u1');
    expect(plan.splitPrefix.map(({ message }) => message.id)).toEqual([
      ...['a1', 'r1', 'a2', 'r2', 'a3', 'r3', 'a4', 'r4'],
    ]);
    expect(plan.retention.at(-1)).toMatchObject({ rule: 'split', messages: 13 });
  });

  it('never begins after the oldest unanswered call unless that call is abandoned', () => {
    const past = [
      keeping(100),
      append(...turns(4, 200), user('u5', 'go'), assistant('a5', call('open')), ...turns(3, 100, 6)),
    ];
    expect(planOf(sessionOf(...past)).cut.messageId).toBe('a5');
    expect(planOf(sessionOf(...past, completeTurn())).cut.messageId).toBe('a8');
  });

  it('begins no earlier than the previous compaction', () => {
    const once = [keeping(400), append(...turns(10, 100)), request(), start(), complete()];
    const twice = planOf(sessionOf(...once, append(...turns(5, 100, 11))));
    expect(twice.covered[0]?.message.id).toBe('u9');
    expect(twice.cut.messageId).toBe('u14');
    expect(prepare(sessionOf(...once))).toMatchObject({ kind: 'none' });
  });
});

describe('a tail that is larger than the target', () => {
  // 2,000 tokens of window: the target is 960, and 200 of them are the summary's.
  const past = append(...turns(6, 120));

  it('shrinks group by group, and the plan states the reduction and its reason', () => {
    const plan = planOf(sessionOf(keeping(1_200, {}, { window: 2_000 }), past));
    expect(plan.cut.messageId).toBe('u4');
    expect(plan.protection).toEqual({
      by: 'tokens',
      kept: 720,
      wanted: 1_200,
      countedUnreduced: 1_410,
      countedLimit: 1_119,
      reason:
        'with the newest 1200 tokens the context would take 1410 counted tokens; ' +
        'at most 1119 leave room for 2 more turns below the trigger',
    });
  });

  it('has no reduction in the plan if it fits', () =>
    expect(planOf(sessionOf(keeping(700, {}, { window: 2_000 }), past)).protection).toBeUndefined());

  it('is rejected under strict protection', () =>
    expect(prepare(sessionOf(keeping(1_200, { protection: 'strict' }, { window: 2_000 }), past))).toEqual({
      kind: 'none',
      reason: { rule: 'protection-strict', countedProtected: 1_200, countedTarget: 1_305 },
    }));

  it('shrinks at most to the newest group', () => {
    const plan = planOf(
      sessionOf(
        keeping(1_000, {}, { window: 2_000 }),
        append(...turns(1, 300), user('u2', 'go'), ...step(2, 900)),
      ),
    );
    expect(plan.cut.messageId).toBe('a2');
    expect(plan.targetRaised).toMatchObject({ from: 960 });
  });
});

describe('dropping tool outputs under a tail of tokens', () => {
  const policy: Partial<Profile> = { stages: ['drop-tool-outputs', 'summarize'], toolOutputs: 'dropped' };
  const past = [
    keeping(400, policy, { window: 2_400 }),
    append(user('u1', 'go'), ...[1, 2, 3, 4, 5].flatMap((n) => step(n, 300))),
  ];
  const droppedIn = (plan: Plan | undefined) => plan?.droppedOutputs.map(({ callId }) => callId);

  it('skips outputs in the tail', () =>
    expect(droppedIn(planOf(sessionOf(...past)))).toEqual(['c1', 'c2', 'c3', 'c4']));

  it('skips outputs that were in the tail when the attempt began, regardless of later messages', () => {
    const running = openOf(
      run([...past, request('c1', { profile: { ...profileFor } }), start(), append(...step(6, 300))]),
    );
    expect(droppedIn(runningPlan(running))).toEqual(['c1', 'c2', 'c3', 'c4']);
  });

  const profileFor: Partial<Profile> = { ...policy, keepBy: 'tokens', keepRecentTokens: 400 };
});

it('defines the messages that the profiles tail and pivot keep', () => {
  expect(profileNamed('tail')).toMatchObject({ keepBy: 'tokens', keepRecentTokens: 16_384 });
  expect(profileNamed('pivot')).toMatchObject({ keepBy: 'tokens', keepRecentTokens: 0 });
});
