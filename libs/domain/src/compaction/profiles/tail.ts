import type { Profile } from '../profile.js';
import { core } from './core.js';

/** Keeps a tail of tokens rather than turns, and looks after every turn whether room for the next answer is left. */
export const tail: Profile = {
  ...core,
  name: 'tail',
  description:
    'Compacts after a turn that leaves less than 8,192 tokens of the window; the newest 16,384 tokens stay.',
  checkedAt: 'turn',
  triggerBy: 'reserve',
  triggerReserve: 8_192,
  // In a large window the reserve is less than the usual shares: the trigger has to come first.
  requireAt: 0.98,
  blockAt: 1,
  explicitMidTurn: 'refuse',
  keepBy: 'tokens',
  keepRecentTokens: 16_384,
};
