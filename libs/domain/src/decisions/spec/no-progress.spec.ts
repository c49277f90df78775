import type { SessionCommand, SessionEvent } from '@app/domain';
import {
  append,
  assistant,
  complete,
  open,
  openOf,
  request,
  run,
  type SessionRun,
  sized,
  start,
  turns,
} from '@app/testing';

const eventsSince = (after: SessionRun, before: SessionRun): SessionEvent[] =>
  after.stream.slice(before.stream.length).map(({ event }) => event);
const typesSince = (after: SessionRun, before: SessionRun): string[] =>
  eventsSince(after, before).map(({ type }) => type);

/** A trigger of 800 of 2,000 tokens, and a system prompt that takes all of it: a compaction never gets below that. */
const floorHeavy = (): SessionRun =>
  run([
    open({ fixedTokens: 800, profile: { keepRecentTurns: 1, triggerAtShare: 0.4, breakerFailures: 2 } }),
    append(...turns(4, 100)),
  ]);
const turn = (n: number): SessionCommand =>
  append(sized(`u9${n}`, 'user', 200), sized(`a9${n}`, 'assistant', 200));
const compacted = (id: string, past: SessionRun): SessionRun =>
  run([request(id), start(id), complete(id)], past);

describe('compactions that leave a session above its trigger', () => {
  // Holds rule 5.75.
  it('are recorded as no progress from the second in a row on, with their sizes', () => {
    const first = compacted('c1', floorHeavy());
    expect(typesSince(first, floorHeavy())).not.toContain('CompactionMadeNoProgress');
    expect(openOf(first)).toMatchObject({ compactionsWithoutProgress: 1, failures: 0 });
    const before = run([turn(1), turn(2)], first);
    const second = compacted('c2', before);
    const [told] = eventsSince(second, before).filter(({ type }) => type === 'CompactionMadeNoProgress');
    expect(told).toMatchObject({
      type: 'CompactionMadeNoProgress',
      data: { compactionId: 'c2', compactions: 2, threshold: 800, occupancyAfter: expect.any(Number) },
    });
    expect(openOf(second)).toMatchObject({ compactionsWithoutProgress: 2, failures: 1 });
  });

  it('open the circuit breaker together with failures at its limit', () => {
    let played = compacted('c1', floorHeavy());
    for (const n of [1, 2]) played = compacted(`c${n + 1}`, run([turn(2 * n), turn(2 * n + 1)], played));
    expect(played.stream.map(({ event }) => event.type).slice(-3)).toEqual([
      'CompactionApplied',
      'CompactionMadeNoProgress',
      'CompactionCircuitOpened',
    ]);
    expect(openOf(played)).toMatchObject({
      compactionsWithoutProgress: 3,
      failures: 2,
      circuit: { is: 'open' },
    });
  });

  it('are counted from 0 again after one that ends below the trigger', () => {
    const first = compacted('c1', floorHeavy());
    const { profile } = openOf(first);
    const change: SessionCommand = {
      type: 'ChangeSettings',
      data: { sessionId: openOf(first).opened.sessionId, profile: { ...profile, triggerAtShare: 0.8 } },
    };
    const before = run([change, turn(1), turn(2), append(assistant('a99', 'done'))], first);
    const second = compacted('c2', before);
    expect(openOf(second)).toMatchObject({ compactionsWithoutProgress: 0, failures: 0 });
    expect(typesSince(second, before)).not.toContain('CompactionMadeNoProgress');
  });
});
