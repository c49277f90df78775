/** The words in which the script is written: `turn(user, step, step, …)`, `step(text, call, …)`, `having([…], step)`. */

/**
 * @param {string} user
 * @param {...import('../agent-loop.mjs').Step} steps the last one makes no calls
 * @returns {import('../agent-loop.mjs').Turn}
 */
export const turn = (user, ...steps) => {
  if (steps.some(({ calls }, at) => (calls.length === 0) !== (at === steps.length - 1))) {
    throw new Error(`every step but the last of a turn makes calls; see the turn "${user.slice(0, 60)}"`);
  }
  return { user, steps };
};

/**
 * @param {string | ((outputs: string[]) => string)} says
 * @param {...import('../agent-loop.mjs').Call} calls
 * @returns {import('../agent-loop.mjs').Step}
 */
export const step = (says, ...calls) => ({ seen: [], afterFailure: false, says, calls });

/**
 * A step whose text rests on what the tools returned just before it.
 *
 * @param {string[]} seen
 * @param {import('../agent-loop.mjs').Step} then
 * @returns {import('../agent-loop.mjs').Step}
 */
export const having = (seen, then) => ({ ...then, seen });

/**
 * The same after a call that was meant to fail.
 *
 * @param {string[]} seen
 * @param {import('../agent-loop.mjs').Step} then
 * @returns {import('../agent-loop.mjs').Step}
 */
export const afterFailure = (seen, then) => ({ ...then, seen, afterFailure: true });

export const list = (path) => ({ name: 'list_files', input: { path } });
export const find = (pattern, path, context) => ({
  name: 'search',
  input: { pattern, ...(path !== undefined && { path }), ...(context !== undefined && { context }) },
});
export const read = (path, offset, limit) => ({
  name: 'read_file',
  input: { path, ...(offset !== undefined && { offset }), ...(limit !== undefined && { limit }) },
});
export const edit = (path, old, replacement) => ({
  name: 'edit_file',
  input: { path, old, new: replacement },
});
export const write = (path, content) => ({ name: 'write_file', input: { path, content } });
export const run = (command) => ({ name: 'run_command', input: { command } });
/** @param {string} path */
export const jest = (path) =>
  run(
    `node --experimental-vm-modules --disable-warning=ExperimentalWarning node_modules/jest/bin/jest.js ${path}`,
  );
