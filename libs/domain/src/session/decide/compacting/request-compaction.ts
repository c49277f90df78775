import { occupancy } from '../../../budget/occupancy.js';
import { requireValidProfile } from '../../../compaction/profiles/fields/require-valid-profile.js';
import type { RequestCompactionCommand } from '../../commands.js';
import type { SessionEvent } from '../../events.js';
import type { OpenSession } from '../../state.js';
import { closed } from './circuit.js';
import { planNow } from './give-up-calls.js';

/** Asks for a compaction. One that is asked for or under way already serves this request too. */
export const requestCompaction = (
  { data: { compactionId, trigger, profile = undefined, instructions } }: RequestCompactionCommand,
  session: OpenSession,
): readonly SessionEvent[] => {
  if (session.compaction || session.ended?.compactionId === compactionId) return [];
  const policy = profile ?? session.profile;
  requireValidProfile(policy);
  const lifted = trigger === 'explicit' ? closed(session, 'explicit-request') : [];
  const requested: SessionEvent = {
    type: 'CompactionRequested',
    data: {
      compactionId,
      trigger,
      profile: policy,
      ...(instructions !== undefined && { instructions }),
      occupancy: occupancy(session),
      turn: session.turn,
    },
  };
  const { plan, givenUp } = planNow(session, policy);
  if (plan.kind === 'plan') return [...lifted, ...givenUp, requested];
  return [
    ...lifted,
    ...givenUp,
    requested,
    { type: 'CompactionSkipped', data: { compactionId, trigger, reason: plan.reason } },
  ];
};
