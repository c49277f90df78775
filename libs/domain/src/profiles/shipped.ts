import { core } from './core.js';
import type { Profile } from './profile.js';

/** Never without the user's word: it warns at four fifths of the window, and lets no request out beyond 95 % of it. */
export const authorized: Profile = {
  ...core,
  name: 'authorized',
  description: 'Compacts only when asked to; warns at 80 % of the window and requires it at 95 %.',
  mode: 'authorized',
};

/** Keeps a tail of tokens rather than turns, and looks after every turn whether room for the next answer is left. */
export const tail: Profile = {
  ...core,
  name: 'tail',
  description:
    'Compacts after a turn that leaves less than 8,192 tokens of the window; the newest 16,384 tokens stay.',
  triggerCheck: 'turn',
  triggerBy: 'reserve',
  triggerReserveTokens: 8_192,
  // In a large window the reserve is less than the usual shares: the trigger has to come first.
  requireAtShare: 0.98,
  blockAtShare: 1,
  explicitMidTurn: 'refuse',
  keepBy: 'tokens',
  keepRecentTokens: 16_384,
};

/** Uses all stages, cheapest first; a summary only if they do not suffice. */
export const staged: Profile = {
  ...core,
  name: 'staged',
  description:
    'Stores large tool results aside, leaves old steps and results out of requests, summarizes at 95 %, collapses.',
  triggerAtShare: 0.95,
  keepRecentTurns: 2,
  stages: ['offload-results', 'snip', 'micro', 'summarize', 'collapse'],
};

/**
 * Prunes old tool outputs continuously; when a step exceeds the budget, summarizes everything except the newest
 * group.
 */
export const pivot: Profile = {
  ...core,
  name: 'pivot',
  description:
    'Prunes old tool outputs after a turn; summarizes everything after a step over the usable budget, and goes on.',
  triggerCheck: 'step',
  triggerBy: 'usable-budget',
  keepBy: 'tokens',
  keepRecentTokens: 0,
  maxOutputTokens: 32_000,
  maxOutputShare: 0.5,
  stages: ['prune', 'summarize'],
  autoContinue: true,
};

/** Never calls a model: drops old tool outputs first, and extracts the rest if needed. */
export const deterministic: Profile = {
  ...core,
  name: 'deterministic',
  description:
    'No model at all: tool outputs older than 4 turns are dropped first, then the rest is extracted.',
  stages: ['drop-tool-outputs', 'summarize'],
  toolOutputs: 'dropped',
  reasoning: 'drop-when-compacted',
  summarizer: 'extractive',
  breakerCooldownMinutes: 0,
};
