import { core } from './core.js';
import type { Profile } from './profile.js';

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
