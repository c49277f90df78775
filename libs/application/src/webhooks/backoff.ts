const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Pauses after each failed attempt, one day in total. One more attempt follows the last pause. */
export const PAUSES_MS: readonly number[] = [
  5_000,
  30_000,
  2 * MINUTE_MS,
  10 * MINUTE_MS,
  30 * MINUTE_MS,
  HOUR_MS,
  2 * HOUR_MS,
  4 * HOUR_MS,
  8 * HOUR_MS,
  8 * HOUR_MS,
];
/** Random share by which pauses vary, so that deliveries that failed together are not retried together. */
const JITTER = 0.2;
/** Maximum of a receiver's `Retry-After`. */
const RETRY_AFTER_MAX_MS = 24 * HOUR_MS;

/**
 * Returns the pause after a failed attempt, at least the receiver's `Retry-After`; `undefined` after the last attempt.
 *
 * @param tries number of attempts so far, including the failed one.
 * @param random from 0 to 1.
 */
export const pauseAfter = (
  tries: number,
  retryAfterMs: number | undefined,
  random: number,
): number | undefined => {
  const pause = PAUSES_MS[tries - 1];
  if (pause === undefined) return undefined;
  const jittered = Math.round(pause * (1 + JITTER * (2 * random - 1)));
  return Math.max(jittered, Math.min(retryAfterMs ?? 0, RETRY_AFTER_MAX_MS));
};
