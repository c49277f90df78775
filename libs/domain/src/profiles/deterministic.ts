import { core } from './core.js';
import type { Profile } from './profile.js';

/** Calls no model, ever: old tool outputs go first, and only what that does not free is extracted. */
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
