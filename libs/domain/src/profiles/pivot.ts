import { core } from './core.js';
import type { Profile } from './profile.js';

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
