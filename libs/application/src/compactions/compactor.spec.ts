import { setImmediate as yieldToLoop } from 'node:timers/promises';
import { AppError } from '@app/kernel';
import { openMemoryLog, requestedCompaction, sessionRef, typesAfterRequest } from '@app/testing';
import { jest } from '@jest/globals';
import { type CompactorOptions, runCompactor } from './compactor.js';
import type { CompactionRunner } from './run-compaction.js';

const ref = sessionRef();
const GROUP = 'palimpsest-compactor';
type Run = CompactionRunner['run'];

/** A compactor at work on a session that waits for it; `run` stands for its runner. */
const working = async (run?: (real: Run) => Run, more: Partial<CompactorOptions> = {}) => {
  const memory = openMemoryLog();
  const { application, id } = await requestedCompaction(memory);
  const runner = application.runner('w1');
  const real: Run = runner.run.bind(runner);
  const stop = new AbortController();
  const errors: unknown[] = [];
  const runs = jest.fn(run ? run(real) : real);
  const options = {
    subscriptions: memory.subscriptions,
    runner: { run: runs },
    atOnce: 4,
    held: 32,
    limitOf: async () => 2,
    onError: (error: unknown) => void errors.push(error),
    ...more,
  };
  const compacting = runCompactor(options, stop.signal);
  return {
    memory,
    application,
    errors,
    runs,
    outcome: () => application.outcomes.outcomeOf(ref, id),
    stop: () => {
      stop.abort();
      return compacting;
    },
    /** Requests delivered to the next worker within a few turns of the event loop. */
    leftForNext: async () => {
      const waiting = new AbortController();
      const next = memory.subscriptions.durable(GROUP, ['CompactionRequested'], waiting.signal);
      const first = next[Symbol.asyncIterator]().next();
      for (let turn = 0; turn < 10; turn += 1) await yieldToLoop();
      waiting.abort();
      const { value } = await first;
      return value?.recorded.event.type;
    },
  };
};
const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await yieldToLoop();
};
const failing =
  (times: number, error: () => unknown) =>
  (real: Run): Run => {
    let calls = 0;
    return async (...given) => {
      calls += 1;
      if (calls <= times) throw error();
      return real(...given);
    };
  };

describe('a compactor', () => {
  // Holds rule 5.14.
  it('completes requested compactions and acknowledges them', async () => {
    const { outcome, stop, leftForNext, errors } = await working();
    expect((await outcome()).type).toBe('CompactionCompleted');
    await yieldToLoop(); // The event is recorded before the run returns.
    await stop();
    expect(await leftForNext()).toBeUndefined();
    expect(errors).toEqual([]);
  });

  // Holds rule 5.15.
  it('leaves a compaction to the next worker when it is stopped', async () => {
    const { stop, leftForNext, runs, errors } = await working(
      () => (_ref, _id, _cause, signal) =>
        new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    );
    await until(() => runs.mock.calls.length > 0);
    await stop();
    expect(await leftForNext()).toBe('CompactionRequested');
    expect(errors).toEqual([]);
  });

  it('does not acknowledge a compaction that another worker took over', async () => {
    const { stop, leftForNext, runs } = await working(() => async () => 'taken-over');
    await until(() => runs.mock.calls.length > 0);
    await stop();
    expect(await leftForNext()).toBe('CompactionRequested');
  });

  it('retries a run that failed once and logs it', async () => {
    const { outcome, stop, errors, application } = await working(failing(1, () => new Error('a defect')));
    expect((await outcome()).type).toBe('CompactionCompleted');
    await stop();
    expect(errors).toHaveLength(1);
    expect((await typesAfterRequest(application)).at(-1)).toBe('CompactionApplied');
  });

  it('parks a compaction that fails repeatedly with the class of the error only', async () => {
    const { stop, memory, runs, leftForNext } = await working(failing(99, () => new TypeError('a secret')));
    await until(() => memory.parkedIn(GROUP).length > 0);
    await stop();
    expect(memory.parkedIn(GROUP)).toEqual(['TypeError']);
    expect(runs).toHaveBeenCalledTimes(11);
    expect(await leftForNext()).toBeUndefined();
  });

  it.each(['concurrency-conflict', 'disk-full'] as const)(
    'tries a compaction again until it succeeds, however often it meets %s',
    async (code) => {
      const passing = failing(20, () => new AppError(code, 'not now'));
      const { outcome, stop, memory, runs } = await working(passing, { pause: () => yieldToLoop() });
      expect((await outcome()).type).toBe('CompactionCompleted');
      await stop();
      expect(memory.parkedIn(GROUP)).toEqual([]);
      expect(runs).toHaveBeenCalledTimes(21);
    },
  );

  it('gives its requests up while its database is away, and takes requests again afterwards', async () => {
    let isAway = true;
    const outage = () => new AppError('postgres-unavailable', 'away');
    const ready = async (): Promise<void> => {
      if (isAway && runs.mock.calls.length > 0) throw outage();
    };
    const { outcome, stop, memory, errors, runs } = await working(failing(1, outage), { ready });
    await until(() => errors.length === 2);
    expect(runs).toHaveBeenCalledTimes(1);
    isAway = false;
    expect((await outcome()).type).toBe('CompactionCompleted');
    await stop();
    expect(runs).toHaveBeenCalledTimes(2);
    expect(memory.parkedIn(GROUP)).toEqual([]);
  });

  it('subscribes again after the event store was unreachable', async () => {
    const { outcome, stop, errors, memory, runs } = await working(
      failing(1, () => new AppError('event-store-unavailable', 'away')),
    );
    await until(() => runs.mock.calls.length > 0);
    expect((await outcome()).type).toBe('CompactionCompleted');
    memory.loseConnections();
    await until(() => errors.length === 2);
    await stop();
    expect(errors).toEqual([expect.any(AppError), expect.any(AppError)]);
  });
});
