import { setTimeout as pause } from 'node:timers/promises';
import { LATE, within } from '@app/kernel';
import { isAmbiguous, NoAnswerError } from './errors.js';

/**
 * Delays before retries of a call with an unknown outcome, or of a read without events. The client closes its
 * connection as soon as one call reports an unavailable server, and waiting calls fail with it.
 */
export const REPEATED_AFTER_MS = [50, 250, 1_000];

/** The result of a call that may be made again, until `isOver`. @throws the last error. */
export const repeated = async <Result>(
  call: () => Promise<Result>,
  isOver: () => boolean,
): Promise<Result> => {
  for (const wait of REPEATED_AFTER_MS) {
    try {
      return await call();
    } catch (error) {
      if (isOver() || !isAmbiguous(error)) throw error;
      await pause(wait);
    }
  }
  return call();
};

/**
 * Returns the result of a call.
 * @throws {NoAnswerError} after the timeout.
 */
export const answerWithin = async <Result>(milliseconds: number, call: Promise<Result>): Promise<Result> => {
  const answer = await within(milliseconds, call);
  if (answer === LATE) throw new NoAnswerError(`no answer in ${milliseconds} ms`);
  return answer;
};
