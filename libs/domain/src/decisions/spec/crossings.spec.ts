import type { SessionCommand, SessionEvent } from '@app/domain';
import { CompactionId, MessageId, Tokens } from '@app/kernel';
import {
  append,
  assistant,
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
  turns,
  user,
} from '@app/testing';

const eventsSince = (after: SessionRun, before?: SessionRun): SessionEvent[] =>
  after.stream.slice(before?.stream.length ?? 0).map(({ event }) => event);
const typesSince = (after: SessionRun, before?: SessionRun): string[] =>
  eventsSince(after, before).map(({ type }) => type);
const fallsIn = (after: SessionRun, before: SessionRun): unknown[] =>
  eventsSince(after, before).flatMap((event) =>
    event.type === 'OccupancyFell' ? [[event.data.below, event.data.state]] : [],
  );
const switchTo = (window: number, model: string): SessionCommand => ({
  type: 'SwitchModel',
  data: { sessionId: SESSION, model, limits: { window: Tokens(window), windowSource: 'given' } },
});
const reset: SessionCommand = {
  type: 'ResetSession',
  data: { sessionId: SESSION, compactionId: CompactionId('r1'), reason: 'anew', confirm: true },
};

/** In a window of 2,000, of which nothing is done by itself. */
const authorized = (tokens: number): SessionRun =>
  run([
    open({ profile: { mode: 'authorized', keepRecentTurns: 1 } }),
    append(...turns(4, 100), sized('u9', 'user', tokens)),
    checkBudget(),
  ]);

describe('threshold crossings', () => {
  // Holds rule 4.2.
  it('are recorded up to blocking, lowest first, once', () => {
    const played = authorized(1_200);
    expect(typesSince(played).slice(-3)).toEqual([
      'WarningThresholdReached',
      'CompactionRequired',
      'BlockingThresholdReached',
    ]);
    expect(played.stream.at(-1)?.event).toMatchObject({
      data: { occupancy: 2_010, threshold: 1_960, window: 2_000 },
    });
    expect(typesSince(run([checkBudget(), checkBudget()], played), played)).toEqual([]);
  });

  it('are recorded down to normal, highest first, after a switch to a larger window', () => {
    const played = authorized(1_200);
    const after = run([switchTo(10_000, 'claude-opus-4-6'), checkBudget()], played);
    expect(typesSince(after, played)).toEqual([
      'ModelSwitched',
      'OccupancyFell',
      'OccupancyFell',
      'OccupancyFell',
    ]);
    expect(fallsIn(after, played)).toEqual([
      ['blocking', 'normal'],
      ['critical', 'normal'],
      ['warning', 'normal'],
    ]);
    // And up again, at once, where a smaller one does.
    const back = run([switchTo(2_000, 'claude-sonnet-4-6')], after);
    expect(typesSince(back, after)).toEqual([
      'ModelSwitched',
      'WarningThresholdReached',
      'CompactionRequired',
      'BlockingThresholdReached',
    ]);
  });

  // Holds rule 4.14.
  it('are recorded when a reset clears the history', () => {
    const played = run([append(user('u10', 'on'))], authorized(1_200));
    expect(fallsIn(run([reset], played), played)).toHaveLength(3);
  });

  // Holds rule 4.14.
  it('are recorded downward when a compaction is applied, and upward when it is reverted', () => {
    const played = run([
      open({ profile: { mode: 'authorized', keepRecentTurns: 1 } }),
      append(...turns(8, 119)),
      checkBudget(),
    ]);
    const compacted = run([request('c1'), start('c1'), complete('c1')], played);
    expect(fallsIn(compacted, played)).toEqual([
      ['critical', 'normal'],
      ['warning', 'normal'],
    ]);
    const revert: SessionCommand = {
      type: 'RevertCompaction',
      data: { sessionId: SESSION, compactionId: CompactionId('c1'), reason: 'no', without: openOf(played) },
    };
    const reverted = run([revert], compacted);
    expect(typesSince(reverted, compacted)).toEqual([
      'CompactionReverted',
      'WarningThresholdReached',
      'CompactionRequired',
    ]);
    expect(openOf(reverted).crossed).toMatchObject({ warning: true, critical: true, blocking: false });
  });

  // Holds rule 4.14.
  it('are recorded when the policy changes', () => {
    const played = authorized(800);
    expect(typesSince(played).slice(-1)).toEqual(['WarningThresholdReached']);
    const { profile } = openOf(played);
    const change = (warnAtShare: number): SessionCommand => ({
      type: 'ChangeSettings',
      data: { sessionId: SESSION, profile: { ...profile, warnAtShare } },
    });
    const relaxed = run([change(0.9)], played);
    expect(typesSince(relaxed, played)).toEqual(['SettingsChanged', 'OccupancyFell']);
    expect(typesSince(run([change(0.5)], relaxed), relaxed)).toEqual([
      'SettingsChanged',
      'WarningThresholdReached',
    ]);
  });

  // Holds rule 4.14.
  it('are recorded when usage is lower than the estimate', () => {
    const played = authorized(800);
    const billed: SessionCommand = {
      type: 'AppendMessages',
      data: {
        ...append(assistant('a9', 'done')).data,
        usage: {
          model: 'claude-sonnet-4-6',
          outcome: 'completed',
          source: 'reported',
          messageId: MessageId('a9'),
          usage: {
            inputTokens: Tokens(900),
            cacheReadTokens: Tokens(0),
            cacheWriteTokens: Tokens(0),
            outputTokens: Tokens(10),
          },
        },
      },
    };
    expect(fallsIn(run([billed], played), played)).toEqual([['warning', 'normal']]);
  });
});

describe('CompactionThresholdHit', () => {
  const hits = (played: SessionRun): unknown[] =>
    eventsSince(played).flatMap((event) =>
      event.type === 'CompactionThresholdHit' ? [[event.data.by, event.data.threshold]] : [],
    );

  it('is recorded once at the trigger, with the requested compaction', () => {
    const played = run([
      open({ profile: { keepRecentTurns: 1 } }),
      append(...turns(8, 100)),
      checkBudget('a'),
    ]);
    expect(hits(run([checkBudget('b'), append(user('u20', 'on')), checkBudget('c')], played))).toEqual([
      ['trigger', 1_600],
    ]);
  });

  it('names the required threshold if occupancy reaches it before the trigger', () => {
    const profile = { keepRecentTurns: 1, triggerAtShare: 1 };
    const played = run([open({ profile }), append(...turns(8, 119)), checkBudget('auto')]);
    expect(typesSince(played)).toContain('CompactionRequested');
    expect(hits(played)).toEqual([['required', 1_900]]);
  });

  it('names the window after a provider overflow', () => {
    const overflow: SessionCommand = {
      type: 'ReportOverflow',
      data: { sessionId: SESSION, compactionId: CompactionId('o1') },
    };
    const played = run([open({ profile: { keepRecentTurns: 1 } }), append(...turns(5, 100)), overflow]);
    expect(hits(played)).toEqual([['overflow', 2_000]]);
  });

  // Holds rule 4.15.
  it('is recorded for each automatic compaction, even if the previous one ended above the trigger', () => {
    const profile = { keepRecentTurns: 1, maxAttempts: 1 };
    const first = run([open({ profile }), append(...turns(8, 100)), checkBudget('a')]);
    const second = run(
      [
        start('a'),
        {
          type: 'FailAttempt',
          data: { ...start('a').data, attempt: 1, worker: 'w1', error: { rule: 'x', detail: '' } },
        },
        append(user('u20', 'on')),
        checkBudget('b'),
      ],
      first,
    );
    expect(typesSince(second).filter((type) => type === 'CompactionRequested')).toHaveLength(2);
    expect(hits(second)).toHaveLength(2);
  });
});
