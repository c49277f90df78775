import { IsoTime, Tokens } from '@app/kernel';
import { SummarizerError, type SummarizerErrorOptions, type SummarizerFault } from '@app/ports';
import {
  openApplication,
  recordedEvents,
  requestedCompaction,
  ScriptedSummarizer,
  sessionRef,
} from '@app/testing';
import type { Pace } from '../../run-compaction.js';

const ref = sessionRef();
const never = new AbortController().signal;
const NOW = Date.parse('2026-11-21T10:00:00Z');

/** Time that passes only while a timer is pending. */
const paced = (): Pace & { readonly waits: number[] } => {
  const waits: number[] = [];
  let passed = 0;
  return {
    waits,
    now: () => IsoTime(new Date(NOW + passed)),
    pause: async (milliseconds, signal) => {
      signal.throwIfAborted();
      waits.push(milliseconds);
      passed += milliseconds;
    },
  };
};
const failing =
  (fault: SummarizerFault, options: SummarizerErrorOptions = {}) =>
  (): never => {
    throw new SummarizerError(fault, options);
  };
const run = async (pace: Pace, ...turns: ConstructorParameters<typeof ScriptedSummarizer>) => {
  const { application, id } = await requestedCompaction();
  await application.runner('w1', new ScriptedSummarizer(...turns), pace).run(ref, id, 'cause', never);
  const events = await recordedEvents(application.log, ref);
  return {
    failed: events.flatMap((event) => (event.type === 'CompactionAttemptFailed' ? [event.data] : [])),
    last: events.at(-1)?.type,
  };
};

describe('a summarizer that asks to retry later', () => {
  // Holds rule 5.67.
  it.each(['rate-limit', 'overloaded', 'unavailable', 'timeout'] as const)(
    'is asked again after a while that grows: %s',
    async (fault) => {
      const pace = paced();
      const { failed, last } = await run(pace, failing(fault), failing(fault));
      expect(pace.waits).toEqual([1_000, 2_000]);
      expect(failed.map(({ error, retryAt }) => [error.rule, retryAt])).toEqual([
        [fault, '2026-11-21T10:00:01.000Z'],
        [fault, '2026-11-21T10:00:03.000Z'],
      ]);
      expect(last).toBe('CompactionApplied');
    },
  );

  // Holds rule 5.67.
  it('is called again after the requested pause', async () => {
    const pace = paced();
    await run(pace, failing('rate-limit', { status: 429, retryAfterMs: 60_000 }));
    expect(pace.waits).toEqual([60_000]);
  });

  it('fails the compaction if the pause exceeds the maximum', async () => {
    const pace = paced();
    const { failed, last } = await run(pace, failing('rate-limit', { retryAfterMs: 60_001 }));
    expect(pace.waits).toEqual([]);
    expect(failed).toHaveLength(1);
    expect(failed[0]?.error.detail).toContain('61 seconds');
    expect(last).toBe('CompactionFailed');
  });

  // Holds rule 5.68.
  it('fails after the last attempt with the cost of each', async () => {
    const pace = paced();
    const tokens = Tokens(7);
    const usage = {
      inputTokens: tokens,
      cacheReadTokens: tokens,
      cacheWriteTokens: tokens,
      outputTokens: tokens,
    };
    const down = failing('unavailable', { status: 500, usage });
    const { failed, last } = await run(pace, down, down, down, down);
    expect(last).toBe('CompactionFailed');
    expect(failed.map((one) => [one.usage, one.retryAt !== undefined])).toEqual([
      [usage, true],
      [usage, true],
      [usage, false],
    ]);
  });
});

describe('a summarizer that fails', () => {
  it('is not retried if only another configuration can help', async () => {
    const pace = paced();
    const { failed, last } = await run(pace, failing('refused', { status: 403 }));
    expect(failed.map(({ error }) => [error.rule, error.permanent])).toEqual([['refused', true]]);
    expect(last).toBe('CompactionFailed');
  });

  it('is retried immediately, and every call counts as an attempt', async () => {
    const pace = paced();
    const no = failing('refused', { status: 400 });
    const { failed, last } = await run(pace, no, no, no);
    expect(pace.waits).toEqual([]);
    expect(failed.map(({ error }) => error.rule)).toEqual(['refused', 'refused', 'refused']);
    expect(last).toBe('CompactionFailed');
  });
});

describe('a pause between attempts', () => {
  it('is observed by another worker, which reads it from the log', async () => {
    const { application, id } = await requestedCompaction();
    const stop = new AbortController();
    const pace = paced();
    const leaving: Pace = {
      ...pace,
      pause: () => {
        stop.abort(new Error('stopped'));
        return Promise.reject(new Error('stopped'));
      },
    };
    const limited = new ScriptedSummarizer(failing('rate-limit', { retryAfterMs: 30_000 }));
    const running = application.runner('w1', limited, leaving).run(ref, id, 'cause', stop.signal);
    await expect(running).rejects.toThrow('stopped');
    const there = openApplication(application);
    await there.runner('w2', new ScriptedSummarizer(), pace).run(ref, id, 'cause', never);
    expect(pace.waits).toEqual([30_000]);
    expect((await recordedEvents(application.log, ref)).at(-1)?.type).toBe('CompactionApplied');
  });

  it('ends immediately when the worker is stopped', async () => {
    const { application, id } = await requestedCompaction();
    const stop = new AbortController();
    const summarizer = new ScriptedSummarizer(() => {
      // Real time: the pause must hear of the stop.
      setImmediate(() => stop.abort(new Error('stopped')));
      throw new SummarizerError('rate-limit', { retryAfterMs: 60_000 });
    });
    const running = application.runner('w1', summarizer).run(ref, id, 'cause', stop.signal);
    await expect(running).rejects.toThrow();
    expect(summarizer.requests).toHaveLength(1);
  });

  it('never exceeds the maximum, at any time of the clock', async () => {
    const { application, id } = await requestedCompaction();
    const past: Pace = { ...paced(), now: () => IsoTime(new Date(NOW - 3_600_000)) };
    const there = paced();
    let clock = there.now;
    const pace: Pace = {
      now: () => clock(),
      pause: (milliseconds, signal) => there.pause(milliseconds, signal),
    };
    const summarizer = new ScriptedSummarizer(() => {
      throw new SummarizerError('overloaded');
    });
    // Between the failure and the wait the clock is set back by an hour.
    const load = application.sessions.load.bind(application.sessions);
    application.sessions.load = async (...args) => {
      const loaded = await load(...args);
      if (loaded.state.status === 'open' && loaded.state.compaction?.retryAt) clock = past.now;
      return loaded;
    };
    await application.runner('w1', summarizer, pace).run(ref, id, 'cause', never);
    expect(there.waits).toEqual([60_000]);
  });
});
