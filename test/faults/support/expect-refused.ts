import { expect } from '@jest/globals';
import { type Ended, run, type StartOptions } from './palimpsest.js';

/** The password in the URLs of these tests. */
export const SECRET = 'correct-horse';

/** Runs a command that must be rejected in a child process. */
export const expectRefused = async (
  args: readonly string[],
  says: RegExp,
  options?: StartOptions,
): Promise<void> => expectRefusal(await run(args, options), says);

/**
 * Expects a rejection: one line on stderr with problem and remedy, without secrets or stack traces, and the exit code
 * of a rejection or of wrong usage.
 */
export const expectRefusal = ({ code, signal, stdout, stderr }: Ended, says: RegExp): void => {
  expect({ signal, stdout }).toEqual({ signal: null, stdout: '' });
  expect(stderr).toMatch(/^palimpsest: [^\n]{10,500}\n$/);
  expect(stderr).toMatch(says);
  expect(stderr).not.toMatch(new RegExp(`${SECRET}|\\[internal\\]| at /|node:`));
  const isUsage = /\[unknown-command\]\n$|[^\]]\n$/.test(stderr);
  expect(code).toBe(isUsage ? 2 : 1);
};
