import { setTimeout as delay } from 'node:timers/promises';

const MINUTE_MS = 60_000;

export type EveryMinute = {
  /** Called for each error before the work continues. */
  readonly onError: (error: unknown) => void;
  /** Resolves at the next time or when `signal` aborts; by default after a minute. */
  readonly pause?: (signal: AbortSignal) => Promise<void>;
};

/** Does work every minute until `signal` aborts. The first pause precedes it, so that short-lived processes start nothing. */
export const everyMinute = async (
  { onError, pause = aMinute }: EveryMinute,
  signal: AbortSignal,
  work: () => Promise<void>,
): Promise<void> => {
  for (;;) {
    await pause(signal);
    if (signal.aborted) return;
    await work().catch(onError);
  }
};

const aMinute = (signal: AbortSignal): Promise<void> =>
  delay(MINUTE_MS, undefined, { signal }).catch(() => undefined);
