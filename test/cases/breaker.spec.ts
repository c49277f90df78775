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

/** A session above its trigger, with one attempt per compaction. */
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
 * Runs an automatic compaction without gain: during the run the session is switched to a model that allows a longer
 * summary than the plan's target.
 */
const withoutProgress = (past: SessionRun, id: string): SessionRun => {
  const planned = run([checkBudget(id), start(id), switchTo(20_000)], past);
  return run([complete(id, { summary: { text: summaryOfSize(800, id) } }), switchTo(2_000)], planned);
};
/** Runs three of them, each in its own turn. */
const threeTimes = (): SessionRun => {
  let played = crowded();
  for (const n of [1, 2, 3]) played = withoutProgress(run([said(n)], played), `auto-${n}`);
  return played;
};

describe('case 24: three compactions without progress', () => {
  // Holds rule 5.75.
  it('fail each with their numbers and leave the context unchanged', () => {
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
  it('open the circuit breaker: further budget checks request no compaction', () => {
    const played = threeTimes();
    expect(played.stream.map(({ event }) => event)).toContainEqual({
      type: 'CompactionCircuitOpened',
      data: { failures: 3, turn: openOf(played).turn, cooldownTurns: 5, cooldownMinutes: 30 },
    });
    const checks = Array.from({ length: 20 }, (_, at) => checkBudget(`again-${at}`));
    expect(typesSince(run(checks, played), played)).not.toContain('CompactionRequested');
  });

  it('do not open the breaker if a compaction in between made progress', () => {
    let played = crowded();
    for (const n of [1, 2]) played = withoutProgress(run([said(n)], played), `auto-${n}`);
    played = run([said(3), request('mine'), start('mine'), complete('mine')], played);
    played = withoutProgress(run([said(4), append(...turns(6, 160, 20))], played), 'auto-4');
    expect(played.stream.map(({ event }) => event.type)).not.toContain('CompactionCircuitOpened');
    expect(openOf(played).failures).toBe(1);
  });

  it('keep the breaker open during new messages, until a trial compaction after its turns succeeds', () => {
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
