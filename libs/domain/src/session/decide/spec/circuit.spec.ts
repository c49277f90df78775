import type { SessionCommand, SessionEventType } from '@app/domain';
import { IsoTime } from '@app/kernel';
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
  type SessionRun,
  start,
  turns,
  user,
} from '@app/testing';

/** A session above its threshold in which one attempt is all that a compaction has. */
const crowded = (): SessionCommand[] => [
  open({ profile: { keepRecentTurns: 1, attemptsMax: 1, breakerAfter: 3 } }),
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

  it('stops automatic compactions when three have failed one after the other', () => {
    const played = broken();
    expect(played.stream.at(-1)?.event).toMatchObject({
      type: 'CompactionCircuitOpened',
      data: { failures: 3 },
    });
    const checked = run([checkBudget('auto-4')], played);
    expect(typesSince(checked, played)).not.toContain('CompactionRequested');
  });

  it('gives new material one try, and stops again where that fails', () => {
    const played = run([turn(4)], broken());
    const tried = failing(played, 'auto-4');
    expect(typesSince(tried, played)).toEqual([
      'CompactionCircuitClosed',
      'CompactionRequested',
      'CompactionStarted',
      'CompactionAttemptFailed',
      'CompactionFailed',
      'CompactionCircuitOpened',
    ]);
  });

  it('gives way to somebody’s word at once', () => {
    const played = broken();
    const asked = run([request('c1')], played);
    expect(typesSince(asked, played)).toEqual(['CompactionCircuitClosed', 'CompactionRequested']);
    expect(openOf(asked)).toMatchObject({ failures: 0, circuitOpenedAt: undefined });
  });

  it('forgets failures once a compaction is completed', () => {
    const played = failing(run(crowded()), 'auto-1');
    expect(openOf(played).failures).toBe(1);
    expect(openOf(run([turn(1), request(), start(), complete()], played)).failures).toBe(0);
  });

  it('leaves the context as it was', () => {
    const before = run(compactable());
    const after = run([request(), start(), failAttempt()], before);
    expect(openOf(after).entries).toEqual(openOf(before).entries);
  });
});

describe('the cool-down of the circuit breaker', () => {
  const at = (minute: number) => IsoTime(new Date(Date.UTC(2026, 0, 1, 12, minute)));
  const checkAt = (name: string, minute: number): SessionCommand => {
    const { type, data } = checkBudget(name);
    return { type, data: { ...data, now: at(minute) } };
  };
  const failAt = (name: string, minute: number): SessionCommand => {
    const { type, data } = failAttempt(name);
    return { type, data: { ...data, now: at(minute) } };
  };
  const broken = (breakerCoolDownMinutes: number): SessionRun =>
    run([
      open({ profile: { keepRecentTurns: 1, attemptsMax: 1, breakerAfter: 1, breakerCoolDownMinutes } }),
      append(...turns(6, 160)),
      ...[checkAt('auto-1', 0), start('auto-1'), failAt('auto-1', 0)],
    ]);

  it('gives automatic compactions another try after its minutes, in the same turn and without anything new', () => {
    expect(broken(10).stream.at(-1)?.event).toMatchObject({ data: { openedAt: '2026-01-01T12:00:00.000Z' } });
    expect(typesSince(run([checkAt('auto-2', 9)], broken(10)), broken(10))).toEqual([]);
    const tried = run([checkAt('auto-2', 10)], broken(10));
    expect(typesSince(tried, broken(10))).toEqual(['CompactionCircuitClosed', 'CompactionRequested']);
    expect(tried.stream.at(-2)?.event).toMatchObject({ data: { because: 'cool-down' } });
    const again = run([start('auto-2'), failAt('auto-2', 11), checkAt('auto-3', 20)], tried);
    expect(typesSince(again, tried).at(-1)).toBe('CompactionCircuitOpened');
    expect(typesSince(run([checkAt('auto-3', 21)], again), again)).toContain('CompactionRequested');
  });

  it('never comes where the policy has none, or nobody knows the time', () => {
    expect(typesSince(run([checkAt('auto-2', 59)], broken(0)), broken(0))).toEqual([]);
    expect(typesSince(run([checkBudget('auto-2')], broken(10)), broken(10))).toEqual([]);
  });
});
