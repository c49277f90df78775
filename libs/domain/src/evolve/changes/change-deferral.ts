import type { Revision } from '@app/kernel';
import { type EventOf, isAskedFor, type SessionEvent } from '../../session/events.js';
import type { CrossedThresholds, OpenSession } from '../../session/state.js';

type DeferralChange = Extract<
  SessionEvent,
  { readonly type: 'CompactionDeferred' | 'CompactionsHeld' | 'CompactionsReleased' }
>;

/** Folds deferrals, holds and their ends. */
export const changeDeferral = (
  state: OpenSession,
  revision: Revision,
  event: DeferralChange,
): OpenSession => {
  switch (event.type) {
    case 'CompactionDeferred': {
      const { compactionId, trigger, profile, instructions } = event.data;
      // A second deferral keeps the start of the first.
      const known = state.deferred?.compactionId === compactionId ? state.deferred : undefined;
      const deferredAt = known?.deferredAt ?? revision;
      const compactionIdCount = state.compactionIdCount + (known ? 0 : 1);
      const crossed = isAskedFor(trigger) ? state.crossed : { ...state.crossed, isServed: true };
      const deferred = { compactionId, trigger, profile, instructions, deferredAt };
      return { ...state, compactionIdCount, crossed, deferred };
    }
    case 'CompactionsHeld':
      return { ...state, hold: event.data };
    case 'CompactionsReleased':
      return { ...state, hold: undefined };
  }
};

/** A hold until the end of the turn ends. */
export const endTurn = (state: OpenSession, { data }: EventOf<'TurnCompleted'>): OpenSession => ({
  ...state,
  turnCompleted: data.turn,
  hold: state.hold?.until === 'turn-end' ? undefined : state.hold,
});

/** Events of occupancy crossing the threshold of a budget state. */
export type BudgetCrossing =
  | EventOf<'WarningThresholdReached'>
  | EventOf<'CompactionRequired'>
  | EventOf<'BlockingThresholdReached'>
  | EventOf<'OccupancyFell'>;

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
