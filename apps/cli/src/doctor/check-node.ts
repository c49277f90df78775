import { type CheckResult, fail, ok } from './check.js';

/** The oldest supported version, as `engines` in package.json says. */
const LEAST = [20, 19] as const;

/** @param version such as `20.19.0`. */
export const checkNode = (version: string): CheckResult => {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isEnough = major > LEAST[0] || (major === LEAST[0] && minor >= LEAST[1]);
  return isEnough
    ? ok('node', `Node ${version}`)
    : fail(
        'node',
        `Node ${version} is too old`,
        `install Node ${LEAST.join('.')} or newer from https://nodejs.org`,
      );
};
