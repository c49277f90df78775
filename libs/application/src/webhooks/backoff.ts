const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Pauses after each try that fails: a day in all. After the last of them there is one more try. */
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
/** Of a pause, up or down, so that what failed together does not come again together. */
const JITTER = 0.2;
/** Nobody is waited for longer than that, whatever he asks for. */
const RETRY_AFTER_MAX_MS = 24 * HOUR_MS;

/**
 * How long after a try that failed the next one comes: never before the receiver has asked for it; `undefined` after the
 * last.
 *
 * @param tries so far, that one included.
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
