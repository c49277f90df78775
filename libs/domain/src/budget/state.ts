import type { Profile } from '../compaction/profile.js';
import type { Limits } from './limits.js';

export type BudgetState = 'normal' | 'warning' | 'critical' | 'blocking';

/** Where `occupancy` tokens stand in the window; a threshold belongs to the state that it begins. */
export const budgetState = (
  occupancy: number,
  { window }: Pick<Limits, 'window'>,
  profile: Pick<Profile, 'warnAt' | 'requireAt' | 'blockAt'>,
): BudgetState => {
  if (window === 0) return 'normal';
  if (occupancy >= window * profile.blockAt) return 'blocking';
  if (occupancy >= window * profile.requireAt) return 'critical';
  if (occupancy >= window * profile.warnAt) return 'warning';
  return 'normal';
};
