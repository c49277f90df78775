import { setTimeout as pause } from 'node:timers/promises';
import { AppError, sessionOf } from '@app/kernel';
import type { Delivery, Subscriptions } from '@app/ports';
import type { CompactionRunner } from './run-compaction.js';

/** The group that all workers share: the log hands each request to one of them. */
const GROUP = 'palimpsest-compactor';
/** Deliveries of one request before it is set aside for somebody to look at. */
const DELIVERIES_MAX = 10;
const RESUME_AFTER_MS = 500;

export type CompactorOptions = {
  readonly subscriptions: Subscriptions;
  readonly runner: CompactionRunner;
  /** Hears of what went wrong, by class and place, before the compactor goes on. */
  readonly onError: (error: unknown) => void;
};

/**
 * Takes requested compactions from the log's durable subscription, one at a time, until `signal` aborts. A request is
 * acknowledged when its compaction has ended: whatever dies before that, somebody gets it again.
 */
export const runCompactor = async (options: CompactorOptions, signal: AbortSignal): Promise<void> => {
  while (!signal.aborted) {
    try {
      for await (const delivery of options.subscriptions.durable(GROUP, ['CompactionRequested'], signal)) {
        await take(delivery, options, signal);
      }
    } catch (error) {
      if (signal.aborted) return;
      options.onError(error);
    }
    await pause(RESUME_AFTER_MS, undefined, { signal }).catch(() => undefined);
  }
};

const take = async (
  delivery: Delivery,
  { runner, onError }: CompactorOptions,
  signal: AbortSignal,
): Promise<void> => {
  const { event, stream, id } = delivery.recorded;
  const ref = sessionOf(stream);
  if (event.type !== 'CompactionRequested' || !ref) return delivery.ack();
  try {
    await runner.run(ref, event.data.compactionId, id, signal);
    await delivery.ack();
  } catch (error) {
    if (signal.aborted) return; // Unacknowledged: it comes back to whoever runs next.
    if (error instanceof AppError && error.code === 'event-store-unavailable') throw error;
    onError(error);
    if (delivery.retries >= DELIVERIES_MAX) await delivery.park(classOf(error));
    else await delivery.retry(classOf(error));
  }
};

const classOf = (error: unknown): string =>
  error instanceof AppError ? error.code : error instanceof Error ? error.name : 'unknown';
