import { compose, manifestOf, type SessionCommand } from '@app/domain';
import { Tokens } from '@app/kernel';
import {
  append,
  checkBudget,
  complete,
  open,
  openOf,
  request,
  run,
  SESSION,
  type SessionRun,
  sized,
  start,
  summaryOfSize,
  turns,
} from '@app/testing';

const typesSince = (after: SessionRun, before: SessionRun): string[] =>
  after.stream.slice(before.stream.length).map(({ event }) => event.type);
const contextOf = (played: SessionRun): string =>
  JSON.stringify(compose(manifestOf(openOf(played)), 'anthropic').request);

/** Above its trigger, with one attempt for each compaction. */
const crowded = (): SessionRun =>
  run([open({ profile: { keepRecentTurns: 1, maxAttempts: 1 } }), append(...turns(5, 160))]);
const said = (n: number): SessionCommand =>
  append(sized(`w${n}`, 'user', 100), sized(`v${n}`, 'assistant', 100));
const switchTo = (window: number): SessionCommand => ({
  type: 'SwitchModel',
  data: {
    sessionId: SESSION,
    model: window > 2_000 ? 'claude-sonnet-4-6' : 'claude-opus-4-6',
    limits: { window: Tokens(window), windowSource: 'given' },
  },
});

/**
 * An automatic compaction without gain: the model that the session is switched to meanwhile allows a summary that
 * is longer than the target of the one which it was planned for.
 */
const withoutProgress = (past: SessionRun, id: string): SessionRun => {
  const planned = run([checkBudget(id), start(id), switchTo(20_000)], past);
  return run([complete(id, { summary: { text: summaryOfSize(800, id) } }), switchTo(2_000)], planned);
};
/** Three of them, each in a turn of its own. */
const threeTimes = (): SessionRun => {
  let played = crowded();
  for (const n of [1, 2, 3]) played = withoutProgress(run([said(n)], played), `auto-${n}`);
  return played;
};

describe('case 24: no progress three times', () => {
  // Holds rule 5.75.
  it('is each time a failure with its numbers that leaves the context as it was', () => {
    const before = run([said(1)], crowded());
    const after = withoutProgress(before, 'auto-1');
    expect(typesSince(after, before)).toEqual([
      'WarningThresholdReached',
      'CompactionThresholdHit',
      'CompactionRequested',
      'CompactionStarted',
      'ModelSwitched',
      'OccupancyFell',
      'CompactionYieldedNoGain',
      'CompactionAttemptFailed',
      'CompactionFailed',
      'ModelSwitched',
      'WarningThresholdReached',
    ]);
    expect(contextOf(after)).toBe(contextOf(before));
  });

  // Holds rule 5.75.
  it('opens the breaker: nothing is asked for automatically, however often the budget is checked', () => {
    const played = threeTimes();
    expect(played.stream.map(({ event }) => event)).toContainEqual({
      type: 'CompactionCircuitOpened',
      data: { failures: 3, turn: openOf(played).turn, cooldownTurns: 5, cooldownMinutes: 30 },
    });
    const checks = Array.from({ length: 20 }, (_, at) => checkBudget(`again-${at}`));
    expect(typesSince(run(checks, played), played)).not.toContain('CompactionRequested');
  });

  it('is none the third time where a compaction came to something in between', () => {
    let played = crowded();
    for (const n of [1, 2]) played = withoutProgress(run([said(n)], played), `auto-${n}`);
    played = run([said(3), request('mine'), start('mine'), complete('mine')], played);
    played = withoutProgress(run([said(4), append(...turns(6, 160, 20))], played), 'auto-4');
    expect(played.stream.map(({ event }) => event.type)).not.toContain('CompactionCircuitOpened');
    expect(openOf(played).failures).toBe(1);
  });

  it('holds over new messages, and is over once a trial after its turns has succeeded', () => {
    const waiting = run([said(4), checkBudget('auto-4')], threeTimes());
    expect(typesSince(waiting, threeTimes())).not.toContain('CompactionRequested');
    const played = run([said(5), said(6), said(7), said(8)], waiting);
    const after = run([checkBudget('auto-5'), start('auto-5'), complete('auto-5')], played);
    expect(typesSince(after, played)).toEqual(
      expect.arrayContaining([
        'CompactionCircuitHalfOpened',
        'CompactionRequested',
        'CompactionApplied',
        'CompactionCircuitClosed',
      ]),
    );
    expect(openOf(after)).toMatchObject({ failures: 0, circuit: undefined });
  });
});
