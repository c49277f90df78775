import { occupancy } from '../../budget/occupancy.js';
import type { CompactionRequested } from '../events.js';
import type { DeferredCompaction, OpenSession } from '../state.js';

/** The request for a compaction of the session as it is. */
export const requested = (
  session: OpenSession,
  { compactionId, trigger, profile, instructions }: DeferredCompaction,
): CompactionRequested => ({
  type: 'CompactionRequested',
  data: {
    compactionId,
    trigger,
    profile,
    ...(instructions !== undefined && { instructions }),
    occupancy: occupancy(session),
    turn: session.turn,
    ...(session.request.contributed > 0 && { contributed: session.request.contributed }),
  },
});
