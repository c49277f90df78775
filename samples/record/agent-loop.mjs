import { normalise } from './normalise.mjs';
import { ToolFailure } from './tools/tool-failure.mjs';

/**
 * @typedef {{ name: string, input: object }} Call
 * @typedef {object} Step
 * @property {string[]} seen what the outputs before this step must hold, for its text to be true
 * @property {boolean} afterFailure whether one of the calls before this step must have failed; else none may
 * @property {string | ((outputs: string[]) => string)} says
 * @property {Call[]} calls none in the last step of a turn
 * @typedef {{ user: string, steps: Step[] }} Turn
 */

/**
 * Plays the script as an agent would run it: the assistant's messages are the script's, the results of its tool calls
 * are what the tools really return. Yields messages in the form of Anthropic's API.
 *
 * @param {string} root the scratch copy
 * @param {Turn[]} script
 * @param {{ definition: { name: string }, run: (root: string, input: any) => Promise<string> }[]} tools
 */
export async function* play(root, script, tools) {
  const ids = callIds();
  for (const [index, { user, steps }] of script.entries()) {
    yield { role: 'user', content: [{ type: 'text', text: user }] };
    /** @type {string[]} */
    let outputs = [];
    let failed = false;
    for (const { seen, afterFailure, says, calls } of steps) {
      const place = `turn ${index + 1}, "${calls[0]?.name ?? 'the last step'}"`;
      if (failed !== afterFailure)
        throw misfit(place, afterFailure ? 'a failed call' : 'no failed call', outputs);
      for (const text of seen) {
        if (!outputs.some((output) => output.includes(text))) throw misfit(place, `"${text}"`, outputs);
      }
      const text = typeof says === 'string' ? says : says(outputs);
      const uses = calls.map((call) => ({ type: 'tool_use', id: ids.next(), ...call }));
      yield { role: 'assistant', content: [{ type: 'text', text }, ...uses] };
      if (uses.length === 0) break;

      const results = [];
      for (const use of uses) results.push(await resultOf(root, tools, use));
      outputs = results.map(({ content }) => content);
      failed = results.some((result) => result.is_error === true);
      yield { role: 'user', content: results };
    }
  }
}

/** Calls of one message run one after the other: each result is the same in every recording. */
const resultOf = async (root, tools, { id, name, input }) => {
  const tool = tools.find(({ definition }) => definition.name === name);
  if (tool === undefined) throw new Error(`the script calls ${name}, which is no tool`);
  const result = { type: 'tool_result', tool_use_id: id };
  try {
    return { ...result, content: normalise(root, await tool.run(root, input)) };
  } catch (error) {
    if (!(error instanceof ToolFailure)) throw error;
    return { ...result, content: normalise(root, error.message), is_error: true };
  }
};

/**
 * @param {string} place
 * @param {string} needed
 * @param {string[]} outputs
 */
const misfit = (place, needed, outputs) => {
  const shown = outputs.map((output) => output.slice(0, 2_000)).join('\n---\n');
  return new Error(`the script does not fit the project any more: ${place} needs ${needed} after\n${shown}`);
};

const callIds = () => {
  let count = 0;
  return {
    next: () => {
      count += 1;
      return `toolu_${String(count).padStart(4, '0')}`;
    },
  };
};
