import { compose, manifestOf, occupancy, prepare } from '@app/domain';
import {
  append,
  assistant,
  call,
  checkBudget,
  eventsOf,
  failAttempt,
  filler,
  open,
  result,
  sessionOf,
  start,
  user,
} from '@app/testing';

const profile = { stages: ['summarize', 'collapse'], maxAttempts: 1, keepRecentTurns: 1 } as const;
const turn = (id: string, size = 2_400) =>
  append(
    user(`u-${id}`, `please do ${id}`),
    assistant(`a-${id}`, call(`c-${id}`, 'read')),
    user(`r-${id}`, result(`c-${id}`, filler(size))),
    assistant(`d-${id}`, `${id} is done`),
  );
const failed = [
  open({ window: 4_000, profile }),
  turn('one'),
  turn('two'),
  turn('three'),
  turn('four'),
  turn('five'),
  turn('six'),
  turn('seven', 200),
  checkBudget('c1'),
  start('c1'),
  failAttempt('c1'),
];

describe('collapsing turns', () => {
  // Holds rule 2.16.
  it('runs after a failed compaction if the next request is too large', () => {
    const types = eventsOf(...failed, checkBudget('c2')).map(({ type }) => type);
    expect(types.slice(types.indexOf('CompactionFailed') + 1)).toEqual([
      'SegmentCollapsed',
      'SegmentCollapsed',
      'SegmentCollapsed',
      'SegmentCollapsed',
      'SegmentCollapsed',
      'OccupancyFell',
      'OccupancyFell',
      'OccupancyFell',
    ]);
  });

  // Holds rule 2.16.
  it('takes the oldest turns until the target is reached, and never the newest', () => {
    const session = sessionOf(...failed, checkBudget('c2'));
    expect(session.marks.collapsed.map((segment) => segment.turn)).toEqual([1, 2, 3, 4, 5]);
    expect(occupancy(session)).toBeLessThanOrEqual(4_000 * 0.8 * 0.6);
  });

  it('keeps a few lines of each turn: user text, called tools, last answer', () => {
    const session = sessionOf(...failed, checkBudget('c2'));
    const body = JSON.stringify(compose(manifestOf(session), 'anthropic').request);
    expect(body).toContain('<collapsed-turn turn=\\"1\\" messages=\\"4\\">');
    expect(body).toContain(
      'The user: please do one\\nTools called: read × 1\\nThe assistant, at last: one is done',
    );
    expect(session.entries).toEqual(sessionOf(...failed).entries);
  });

  it('does not run while a compaction is requested, or if the policy lacks the stage', () => {
    expect(eventsOf(...failed.slice(0, -1)).map(({ type }) => type)).not.toContain('SegmentCollapsed');
    const without = [
      open({ window: 4_000, profile: { ...profile, stages: ['summarize'] } }),
      ...failed.slice(1),
    ];
    expect(eventsOf(...without, checkBudget('c2')).map(({ type }) => type)).not.toContain('SegmentCollapsed');
  });

  it('makes a turn indivisible for the next compaction', () => {
    const session = sessionOf(...failed, checkBudget('c2'), turn('eight'));
    const plan = prepare(session);
    const cut = plan.kind === 'plan' ? plan.cut.messageId : plan.reason;
    expect(String(cut)).toMatch(/^u-/);
  });
});
