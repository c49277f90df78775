import { expect } from '@jest/globals';
import { run, type StartOptions } from './palimpsest.js';

/** What the tests put into addresses where a password goes. */
export const SECRET = 'correct-horse';

/**
 * Runs a command that has to be refused: in one line that says what is wrong and what to do, on stderr alone, without a
 * secret or a place in our code, and with the exit code of a refusal or of wrong usage.
 */
export const expectRefused = async (
  args: readonly string[],
  says: RegExp,
  options?: StartOptions,
): Promise<void> => {
  const { code, signal, stdout, stderr } = await run(args, options);
  expect({ signal, stdout }).toEqual({ signal: null, stdout: '' });
  expect(stderr).toMatch(/^palimpsest: [^\n]{10,500}\n$/);
  expect(stderr).toMatch(says);
  expect(stderr).not.toMatch(new RegExp(`${SECRET}|\\[internal\\]| at /|node:`));
  const isUsage = /\[unknown-command\]\n$|[^\]]\n$/.test(stderr);
  expect(code).toBe(isUsage ? 2 : 1);
};
