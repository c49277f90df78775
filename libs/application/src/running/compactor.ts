import { setTimeout as delay } from 'node:timers/promises';
import { AppError, sessionOf } from '@app/kernel';
import type { Delivery, Subscriptions } from '@app/ports';
import type { CompactionRunner } from './run-compaction.js';

/** The group that all workers share: the log hands each request to one of them. */
const GROUP = 'palimpsest-compactor';
/** Deliveries of one request before it is set aside for somebody to look at. */
const DELIVERIES_MAX = 10;
const RESUME_AFTER_MS = 500;
/** In an outage the pauses double up to this. */
const RESUME_AFTER_MAX_MS = 10_000;

export type CompactorOptions = {
  readonly subscriptions: Pick<Subscriptions, 'durable'>;
  readonly runner: Pick<CompactionRunner, 'run'>;
  /** Hears of what went wrong, by class and place, before the compactor goes on. */
  readonly onError: (error: unknown) => void;
};

/**
 * Takes requested compactions from the log's durable subscription, one at a time, until `signal` aborts. A request is
 * acknowledged when its compaction has ended: whatever dies before that, somebody gets it again.
 */
export const runCompactor = async (options: CompactorOptions, signal: AbortSignal): Promise<void> => {
  for (let failures = 0; !signal.aborted; failures += 1) {
    try {
      for await (const delivery of options.subscriptions.durable(GROUP, ['CompactionRequested'], signal)) {
        await take(delivery, options, signal);
        failures = 0;
      }
    } catch (error) {
      if (signal.aborted) return;
      options.onError(error);
    }
    await pause(failures, signal);
  }
};

/** One that another worker has taken over is his to acknowledge: were he to die, he alone would get it again. */
const take = async (delivery: Delivery, options: CompactorOptions, signal: AbortSignal): Promise<void> => {
  const { event, stream, id } = delivery.recorded;
  const ref = sessionOf(stream);
  if (event.type !== 'CompactionRequested' || !ref) return delivery.ack();
  for (let failures = 0; !signal.aborted; failures += 1) {
    try {
      const outcome = await options.runner.run(ref, event.data.compactionId, id, signal);
      return outcome === 'ended' ? await delivery.ack() : undefined;
    } catch (error) {
      if (signal.aborted) return; // Unacknowledged: it comes back to whoever runs next.
      if (isCode(error, 'event-store-unavailable')) throw error; // The delivery is lost with the connection.
      options.onError(error);
      if (!isCode(error, 'postgres-unavailable') && !isCode(error, 'disk-full'))
        return giveBack(delivery, error);
    }
    await pause(failures, signal); // Deliveries are counted, and an outage may last longer than all of them.
  }
};

const giveBack = (delivery: Delivery, error: unknown): Promise<void> =>
  delivery.retries >= DELIVERIES_MAX ? delivery.park(classOf(error)) : delivery.retry(classOf(error));

const pause = (failures: number, signal: AbortSignal): Promise<void> => {
  const milliseconds = Math.min(RESUME_AFTER_MS * 2 ** failures, RESUME_AFTER_MAX_MS);
  return delay(milliseconds, undefined, { signal }).catch(() => undefined);
};

const isCode = (error: unknown, code: AppError['code']): boolean =>
  error instanceof AppError && error.code === code;

const classOf = (error: unknown): string =>
  error instanceof AppError ? error.code : error instanceof Error ? error.name : 'unknown';
