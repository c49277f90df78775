import type { Revision } from '@app/kernel';
import { isAskedFor, type SessionEvent, type TurnCompleted } from '../../session/events.js';
import type { OpenSession } from '../../session/state.js';

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
export const endTurn = (state: OpenSession, { data }: TurnCompleted): OpenSession => ({
  ...state,
  turnCompleted: data.turn,
  hold: state.hold?.until === 'turn-end' ? undefined : state.hold,
});
