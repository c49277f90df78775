import { expect } from '@jest/globals';
import { type Ended, run, type StartOptions } from './palimpsest.js';

/** What the tests put into addresses where a password goes. */
export const SECRET = 'correct-horse';

/** Runs a command in a process of its own that has to be refused. */
export const expectRefused = async (
  args: readonly string[],
  says: RegExp,
  options?: StartOptions,
): Promise<void> => expectRefusal(await run(args, options), says);

/**
 * A refusal is one line that says what is wrong and what to do, on stderr alone, without a secret or a place in our
 * code, and has the exit code of a refusal or of wrong usage.
 */
export const expectRefusal = ({ code, signal, stdout, stderr }: Ended, says: RegExp): void => {
  expect({ signal, stdout }).toEqual({ signal: null, stdout: '' });
  expect(stderr).toMatch(/^palimpsest: [^\n]{10,500}\n$/);
  expect(stderr).toMatch(says);
  expect(stderr).not.toMatch(new RegExp(`${SECRET}|\\[internal\\]| at /|node:`));
  const isUsage = /\[unknown-command\]\n$|[^\]]\n$/.test(stderr);
  expect(code).toBe(isUsage ? 2 : 1);
};
