import type { ErrorCode } from '../types/error-code.js';
import type { PalimpsestError } from './errors.js';

const FIRST_MS = 250;
const LONGEST_MS = 8_000;
/** A service that wants to be left alone for longer is the caller's to wait for. */
const RETRY_AFTER_MS_MAX = 60_000;

/** Failures that pass, and after which a request that has an idempotency key can be made again. */
const PASSING: ReadonlySet<number> = new Set([408, 425, 429, 502, 503, 504]);

/** Whoever carried out the first request of the key may just have died: when its time is over, this one is next. */
const AGAIN: ReadonlySet<ErrorCode> = new Set(['request-in-progress']);

/** A summary takes as long as it takes: to ask at once for it again would only wait again. */
const NOT_AGAIN: ReadonlySet<ErrorCode> = new Set(['compaction-timed-out']);

export const isPassing = ({ status, code, retryAfterMs = 0 }: PalimpsestError): boolean =>
  retryAfterMs <= RETRY_AFTER_MS_MAX &&
  (status === undefined
    ? code === 'service-unreachable'
    : AGAIN.has(code) || (PASSING.has(status) && !NOT_AGAIN.has(code)));

/**
 * How long to wait before attempt number `attempt` + 1: twice as long each time, and a random part of it, so that
 * callers that failed together do not come back together. Never sooner than the service has asked for.
 */
export const backoffMs = (attempt: number, random: number, retryAfterMs = 0): number => {
  const cap = Math.min(LONGEST_MS, FIRST_MS * 2 ** (attempt - 1));
  return retryAfterMs + Math.round(cap / 2 + (cap / 2) * random);
};

/** Resolves after `ms`; rejects with the signal's reason where it aborts before. */
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
