import type { SessionCommand, SessionEventType } from '@app/domain';
import { CompactionId, IsoTime } from '@app/kernel';
import {
  append,
  assistant,
  checkBudget,
  compactable,
  complete,
  failAttempt,
  open,
  openOf,
  request,
  run,
  SESSION,
  type SessionRun,
  start,
  turns,
  user,
} from '@app/testing';

/** A session above its threshold in which one attempt is all that a compaction has. */
const crowded = (): SessionCommand[] => [
  open({ profile: { keepRecentTurns: 1, maxAttempts: 1, breakerFailures: 3, breakerCooldownTurns: 3 } }),
  append(...turns(6, 160)),
];
const turn = (n: number): SessionCommand => append(user(`u9${n}`, 'on'), assistant(`a9${n}`, 'yes'));
/** An automatic compaction that fails, in the turn that stands. */
const failing = (past: SessionRun, name: string): SessionRun =>
  run([checkBudget(name), start(name), failAttempt(name)], past);
const typesSince = (after: SessionRun, before: SessionRun): SessionEventType[] =>
  after.stream.slice(before.stream.length).map(({ event }) => event.type);

describe('the circuit breaker', () => {
  const broken = (): SessionRun => {
    let played = run(crowded());
    for (const n of [1, 2, 3]) played = run(n < 3 ? [turn(n)] : [], failing(played, `auto-${n}`));
    return played;
  };

  // Holds rule 5.69.
  it('stops automatic compactions after three consecutive failures', () => {
    const played = broken();
    expect(played.stream.at(-1)?.event).toMatchObject({
      type: 'CompactionCircuitOpened',
      data: { failures: 3 },
    });
    const checked = run([checkBudget('auto-4')], played);
    expect(typesSince(checked, played)).not.toContain('CompactionRequested');
  });

  // Holds rule 5.70.
  it('stays open after a new message or a new turn', () => {
    const played = run([turn(4), checkBudget('auto-4'), turn(5), checkBudget('auto-5')], broken());
    const types = typesSince(played, broken());
    expect(types).not.toContain('CompactionRequested');
    expect(types).not.toContain('CompactionCircuitClosed');
  });

  // Holds rule 5.70.
  it('allows one trial after its turns, and opens again if the trial fails', () => {
    const played = run([turn(4), turn(5), turn(6)], broken());
    const tried = failing(played, 'auto-4');
    expect(typesSince(tried, played)).toEqual([
      'BlockingThresholdReached',
      'CompactionCircuitHalfOpened',
      'CompactionThresholdHit',
      'CompactionRequested',
      'CompactionStarted',
      'CompactionAttemptFailed',
      'CompactionFailed',
      'CompactionCircuitOpened',
    ]);
    expect(tried.stream.at(-1)?.event).toMatchObject({ data: { failures: 4, cooldownTurns: 3, turn: 11 } });
    const next = run([turn(7), checkBudget('auto-5'), turn(8), checkBudget('auto-6')], tried);
    expect(typesSince(next, tried)).not.toContain('CompactionRequested');
    const due = run([turn(9), checkBudget('auto-7')], next);
    expect(typesSince(due, next)).toContain('CompactionRequested');
  });

  // Holds rule 5.70.
  it('closes after a successful trial', () => {
    const played = run([turn(4), turn(5), turn(6)], broken());
    const tried = run([checkBudget('auto-4'), start('auto-4'), complete('auto-4')], played);
    expect(tried.stream.map(({ event }) => event)).toContainEqual({
      type: 'CompactionCircuitClosed',
      data: { reason: 'trial-succeeded', turn: 11 },
    });
    expect(openOf(tried)).toMatchObject({ failures: 0, circuit: undefined });
  });

  // Holds rule 5.70.
  it('lets a manual compaction through as a trial', () => {
    const played = broken();
    const asked = run([request('c1')], played);
    expect(typesSince(asked, played)).toEqual(['CompactionCircuitHalfOpened', 'CompactionRequested']);
    const failed = run([start('c1'), failAttempt('c1')], asked);
    expect(typesSince(failed, asked).at(-1)).toBe('CompactionCircuitOpened');
    const done = run([start('c1'), complete('c1')], asked);
    expect(typesSince(done, asked)).toContain('CompactionCircuitClosed');
  });

  it('closes with a reset, which replaces the context', () => {
    const reset: SessionCommand = {
      type: 'ResetSession',
      data: { sessionId: SESSION, compactionId: CompactionId('r1'), reason: 'anew', confirm: true },
    };
    const played = run([reset], broken());
    expect(typesSince(played, broken())).toContain('CompactionCircuitClosed');
    expect(openOf(played)).toMatchObject({ failures: 0, circuit: undefined });
  });

  it('resets its failure count when a compaction completes', () => {
    const played = failing(run(crowded()), 'auto-1');
    expect(openOf(played).failures).toBe(1);
    expect(openOf(run([turn(1), request(), start(), complete()], played)).failures).toBe(0);
  });

  it('leaves the context unchanged', () => {
    const before = run(compactable());
    const after = run([request(), start(), failAttempt()], before);
    expect(openOf(after).entries).toEqual(openOf(before).entries);
  });
});

describe('the duration of the circuit breaker', () => {
  const at = (minute: number) => IsoTime(new Date(Date.UTC(2026, 0, 1, 12, minute)));
  const checkAt = (name: string, minute: number): SessionCommand => {
    const { type, data } = checkBudget(name);
    return { type, data: { ...data, now: at(minute) } };
  };
  const failAt = (name: string, minute: number): SessionCommand => {
    const { type, data } = failAttempt(name);
    return { type, data: { ...data, now: at(minute) } };
  };
  const broken = (breakerCooldownMinutes: number): SessionRun =>
    run([
      open({ profile: { keepRecentTurns: 1, maxAttempts: 1, breakerFailures: 1, breakerCooldownMinutes } }),
      append(...turns(6, 160)),
      ...[checkAt('auto-1', 0), start('auto-1'), failAt('auto-1', 0)],
    ]);

  // Holds rule 5.88.
  it('ends after its minutes, in the same turn and without new messages', () => {
    expect(broken(10).stream.at(-1)?.event).toMatchObject({ data: { openedAt: '2026-01-01T12:00:00.000Z' } });
    expect(typesSince(run([checkAt('auto-2', 9)], broken(10)), broken(10))).toEqual([]);
    const tried = run([checkAt('auto-2', 10)], broken(10));
    expect(typesSince(tried, broken(10))).toEqual([
      'CompactionCircuitHalfOpened',
      'CompactionThresholdHit',
      'CompactionRequested',
    ]);
    expect(tried.stream.at(-3)?.event).toMatchObject({ data: { reason: 'time-passed' } });
    const again = run([start('auto-2'), failAt('auto-2', 11), checkAt('auto-3', 20)], tried);
    expect(typesSince(again, tried).at(-1)).toBe('CompactionCircuitOpened');
    expect(typesSince(run([checkAt('auto-3', 21)], again), again)).toContain('CompactionRequested');
  });

  it('never ends if the policy sets none or the command carries no time', () => {
    expect(typesSince(run([checkAt('auto-2', 59)], broken(0)), broken(0))).toEqual([]);
    expect(typesSince(run([checkBudget('auto-2')], broken(10)), broken(10))).toEqual([]);
  });
});
