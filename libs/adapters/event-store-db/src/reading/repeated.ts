import { setTimeout as pause } from 'node:timers/promises';
import { isAmbiguous } from '../errors.js';

/**
 * Pauses before a call is repeated whose outcome is unknown, or that has brought nothing yet. The client closes its connection
 * as soon as one call tells that the server is away, and calls that wait for the next one to be made fail with it.
 */
export const REPEATED_AFTER_MS = [50, 250, 1_000];

/** What a read brings, which is made anew where the server goes away before it has ended. @throws the last error. */
export const repeated = async <Result>(read: () => Promise<Result>, signal: AbortSignal): Promise<Result> => {
  for (const wait of REPEATED_AFTER_MS) {
    try {
      return await read();
    } catch (error) {
      if (signal.aborted || !isAmbiguous(error)) throw error;
      await pause(wait);
    }
  }
  return read();
};
