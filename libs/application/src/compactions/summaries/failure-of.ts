import { type AttemptError, isOverflow } from '@app/domain';
import { IsoTime } from '@app/kernel';
import { SummarizerError } from '@app/ports';

/**
 * Maximum wait between two attempts in milliseconds. A provider that asks for a longer one ends the compaction; later ones
 * follow.
 */
export const RETRY_AFTER_MAX_MS = 60_000;
const BACKOFF_MS = 1_000;

/** The error of an attempt, and the time of the next one. */
type Failure = {
  readonly error: AttemptError;
  readonly retryAt?: IsoTime;
  readonly giveUp?: boolean;
};

/**
 * Returns the recorded failure for an error of a summarizer. Foreign errors are recorded by class, since their text may quote
 * the input.
 */
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

/** Returns the wait that the provider asks for, growing with each attempt. */
const waitFor = ({ retryAfterMs = 0 }: SummarizerError, attempt: number): number =>
  Math.max(retryAfterMs, Math.min(BACKOFF_MS * 2 ** (attempt - 1), RETRY_AFTER_MAX_MS));

const classOf = (error: unknown): string => (error instanceof Error ? error.name : typeof error);

/** Converts an error of a summarizer; `undefined` for an unknown class. */
export const faultOf = (error: unknown): SummarizerError | undefined => {
  if (error instanceof SummarizerError) return error;
  if (!(error instanceof Error)) return undefined;
  if (error.name === 'TimeoutError') return new SummarizerError('timeout', { cause: error });
  const status = 'status' in error && typeof error.status === 'number' ? { status: error.status } : {};
  const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {};
  return isOverflow({ message: error.message, ...status, ...code })
    ? new SummarizerError('overflow', { ...status, cause: error })
    : undefined;
};
