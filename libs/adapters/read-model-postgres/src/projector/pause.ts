import { setTimeout as delay } from 'node:timers/promises';

/** Resolves after the time, or at once when `signal` aborts. */
export const pause = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  delay(milliseconds, undefined, { signal }).catch(() => {});
