import { setTimeout as pause } from 'node:timers/promises';
import { isAmbiguous } from './errors.js';

/**
 * Pauses before a call is repeated whose outcome is unknown, or that has brought nothing yet. The client closes its connection
 * as soon as one call tells that the server is away, and calls that wait for the next connection fail with it.
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
