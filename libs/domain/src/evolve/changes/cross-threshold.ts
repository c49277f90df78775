import type {
  BlockingThresholdReached,
  CompactionRequired,
  OccupancyFell,
  SessionEvent,
  WarningThresholdReached,
} from '../../session/events.js';
import type { CrossedThresholds, OpenSession } from '../../session/state.js';

/** Events of occupancy crossing the threshold of a budget state. */
export type BudgetCrossing =
  | WarningThresholdReached
  | CompactionRequired
  | BlockingThresholdReached
  | OccupancyFell;

export const isBudgetCrossing = (event: SessionEvent): event is BudgetCrossing =>
  event.type === 'WarningThresholdReached' ||
  event.type === 'CompactionRequired' ||
  event.type === 'BlockingThresholdReached' ||
  event.type === 'OccupancyFell';

/** Folds a crossing: the crossed thresholds, and the contributions to the next request. */
export const crossThreshold = (state: OpenSession, event: BudgetCrossing): OpenSession => {
  const { contributed } = event.data;
  return {
    ...state,
    crossed: crossedBy(state.crossed, event),
    ...(contributed !== undefined && { request: { ...state.request, contributed } }),
  };
};

/** The thresholds that count as crossed once a crossing is recorded. */
export const crossedBy = (crossed: CrossedThresholds, event: BudgetCrossing): CrossedThresholds => {
  switch (event.type) {
    case 'WarningThresholdReached':
      return { ...crossed, warning: true };
    case 'CompactionRequired':
      return { ...crossed, critical: true };
    case 'BlockingThresholdReached':
      return { ...crossed, blocking: true };
    case 'OccupancyFell':
      return { ...crossed, [event.data.below]: false };
  }
};
