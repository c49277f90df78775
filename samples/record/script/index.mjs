import { BUILD_IT } from './build-it.mjs';
import { FINISH_IT } from './finish-it.mjs';
import { HARDEN_IT } from './harden-it.mjs';
import { LOOK_AROUND } from './look-around.mjs';
import { USE_IT } from './use-it.mjs';

export const SYSTEM = [
  'You are a coding agent in the repository of Palimpsest, a service in TypeScript that compacts the context of LLM',
  'agents. You work with one user on small changes. Look before you change anything, say what you found and what is',
  'only a guess, keep to the rules that the user gives for as long as they stand, and check each change with the',
  "project's own tools before you call it done.",
].join(' ');

/** @type {import('../agent-loop.mjs').Turn[]} */
export const SCRIPT = [...LOOK_AROUND, ...BUILD_IT, ...USE_IT, ...HARDEN_IT, ...FINISH_IT];
