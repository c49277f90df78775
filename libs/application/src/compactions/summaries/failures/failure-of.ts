import type { AttemptError } from '@app/domain';
import { IsoTime } from '@app/kernel';
import type { SummarizerError } from '@app/ports';
import { faultOf } from './fault.js';

/** The longest wait between two attempts. Whoever asks for a longer one ends the compaction: there will be others. */
export const RETRY_AFTER_MAX_MS = 60_000;
const BACKOFF_MS = 1_000;

/** How an attempt failed, and when the next may begin. */
export type Failure = {
  readonly error: AttemptError;
  readonly retryAt?: IsoTime;
  readonly giveUp?: boolean;
};

/** What a summarizer's error comes to. The text of one that is not ours may hold what it was given: its class is attemptError. */
export const failureOf = (error: unknown, attempt: number, now: IsoTime): Failure => {
  const fault = faultOf(error);
  if (!fault) return { error: { rule: 'summarizer', detail: classOf(error) } };
  const attemptError: AttemptError = { rule: fault.fault, detail: fault.message };
  if (fault.isPermanent) return { error: { ...attemptError, permanent: true }, giveUp: true };
  if (!fault.isPassing) return { error: attemptError };
  const wait = waitFor(fault, attempt);
  if (wait <= RETRY_AFTER_MAX_MS)
    return { error: attemptError, retryAt: IsoTime(new Date(Date.parse(now) + wait)) };
  const detail = `${attemptError.detail}; it asks to be left alone for ${Math.ceil(wait / 1_000)} seconds`;
  return { error: { ...attemptError, detail }, giveUp: true };
};

/** As long as the provider asks, and longer each time. */
const waitFor = ({ retryAfterMs = 0 }: SummarizerError, attempt: number): number =>
  Math.max(retryAfterMs, Math.min(BACKOFF_MS * 2 ** (attempt - 1), RETRY_AFTER_MAX_MS));

const classOf = (error: unknown): string => (error instanceof Error ? error.name : typeof error);
