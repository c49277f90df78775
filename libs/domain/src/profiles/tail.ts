import { core } from './core.js';
import type { Profile } from './profile.js';

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
