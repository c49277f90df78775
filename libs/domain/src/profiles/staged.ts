import { core } from './core.js';
import type { Profile } from './profile.js';

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
