import { isOutage } from './failures.js';
import { follow } from './follow.js';
import { PROJECTOR_LOCK, withLock } from './lock.js';
import type { ProjectorParts } from './parts.js';
import { pause } from './pause.js';

/** How often the same event may fail before it is believed that it always will. */
const TRIES = 4;
const PAUSE_MIN_MS = 50;
const PAUSE_MAX_MS = 10_000;

/**
 * Projects until `signal` aborts, as soon as nobody else does. While the log or the database is away it waits, longer
 * each time; and what could be only bad luck is tried again.
 *
 * @throws what the same event fails with again and again: it is not passed over, and neither is what follows it.
 */
export const runProjector = async (
  { db, subscriptions, progress, onError }: ProjectorParts,
  signal: AbortSignal,
): Promise<void> => {
  let failures = 0;
  let progressAtFailure = progress.count;
  while (!signal.aborted) {
    try {
      await withLock(db, PROJECTOR_LOCK, signal, async (connection) => {
        const applied = (): void => progress.advance();
        await follow(connection, subscriptions, signal, { carefully: failures > 0, applied });
      });
      failures = 0;
    } catch (error) {
      if (signal.aborted) return;
      failures = progress.count > progressAtFailure ? 1 : failures + 1;
      progressAtFailure = progress.count;
      onError(error);
      if (failures >= TRIES && !isOutage(error)) throw error;
      await pause(Math.min(PAUSE_MIN_MS * 2 ** (failures - 1), PAUSE_MAX_MS), signal);
    }
  }
};
