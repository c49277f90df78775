import type { PalimpsestError } from './errors.js';

const FIRST_MS = 250;
const LONGEST_MS = 8_000;
/** Maximum `Retry-After` in milliseconds that the client waits for; longer ones are left to the caller. */
const RETRY_AFTER_MS_MAX = 60_000;

/** Temporary failures after which an idempotent request is retried. */
const PASSING: ReadonlySet<number> = new Set([408, 425, 429, 502, 503, 504]);

/**
 * Whether a retry may succeed. The process of a request in progress may have died: after its lease, a retry is executed. After
 * `compaction-timed-out`, a retry would only wait again.
 */
export const isPassing = ({ status, code, retryAfterMs = 0 }: PalimpsestError): boolean =>
  retryAfterMs <= RETRY_AFTER_MS_MAX &&
  (status === undefined
    ? code === 'service-unreachable'
    : code === 'request-in-progress' || (PASSING.has(status) && code !== 'compaction-timed-out'));

/**
 * Returns the pause before attempt `attempt` + 1: exponential with jitter, so that failed callers do not return together, and
 * at least the `Retry-After` of the service.
 */
export const backoffMs = (attempt: number, random: number, retryAfterMs = 0): number => {
  const cap = Math.min(LONGEST_MS, FIRST_MS * 2 ** (attempt - 1));
  return retryAfterMs + Math.round(cap / 2 + (cap / 2) * random);
};

/** Resolves after `ms`; rejects with the signal's reason if it aborts first. */
export const pause = (ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
