import type { Profile } from '../profiles/profile.js';
import { type Limits, type StateThresholds, stateThresholds } from './limits.js';

export type BudgetState = 'normal' | 'warning' | 'critical' | 'blocking';

/** Returns the state at `occupancy` billed tokens; a threshold belongs to the state above it. */
export const budgetState = (occupancy: number, limits: Limits, profile: Profile): BudgetState =>
  limits.window === 0 ? 'normal' : stateAt(occupancy, stateThresholds(limits, profile));

/** The same, of thresholds that are known. */
export const stateAt = (occupancy: number, { warning, critical, blocking }: StateThresholds): BudgetState => {
  if (occupancy >= blocking) return 'blocking';
  if (occupancy >= critical) return 'critical';
  return occupancy >= warning ? 'warning' : 'normal';
};
