import { setTimeout as delay } from 'node:timers/promises';
import type { LogPosition } from '@app/kernel';
import type { LogItem, Subscriptions } from '@app/ports';

const RESUME_AFTER_MS = 200;
const RESUME_AFTER_MAX_MS = 5_000;

export type LogFollower = {
  readonly subscriptions: Pick<Subscriptions, 'catchUp'>;
  readonly take: (item: LogItem) => void;
  /** Called with each failure of the subscription, before it is resumed. */
  readonly onError: (error: unknown) => void;
};

/**
 * Passes all items of the log after `after` to `take` until `signal` aborts. A failed subscription is resumed from the last
 * item after a pause, which doubles from 200 ms to 5 s until an item arrives.
 */
export const followLog = async (
  { subscriptions, take, onError }: LogFollower,
  after: LogPosition | 'start',
  signal: AbortSignal,
): Promise<void> => {
  let at = after;
  for (let failures = 0; !signal.aborted; failures += 1) {
    try {
      for await (const item of subscriptions.catchUp(at, signal)) {
        take(item);
        at = positionOf(item) ?? at;
        failures = 0;
      }
    } catch (error) {
      if (signal.aborted) return;
      onError(error);
    }
    const pause = Math.min(RESUME_AFTER_MS * 2 ** failures, RESUME_AFTER_MAX_MS);
    await delay(pause, undefined, { signal }).catch(() => undefined);
  }
};

const positionOf = (item: LogItem): LogPosition | undefined => {
  if (item.kind === 'event') return item.recorded.position;
  if (item.kind === 'unreadable') return item.unreadable.position;
  return item.kind === 'checkpoint' ? item.position : undefined;
};
