import type { CompactionId, Tokens } from '@app/kernel';
import { thresholdTokens, triggerTokens } from '../../../budget/limits.js';
import { occupancy } from '../../../budget/occupancy.js';
import { isTriggerLookedAt } from '../../../budget/trigger-time.js';
import type { CheckBudgetCommand } from '../../commands.js';
import type { SessionEvent, Trigger } from '../../events.js';
import type { OpenSession } from '../../state.js';
import { closed, isBroken } from './circuit.js';
import { planNow } from './give-up-calls.js';

/**
 * Holds the next request against the thresholds: each upward crossing is recorded once, and a compaction is
 * requested where the profile compacts by itself and there is something to compact.
 */
export const checkBudget = ({ data }: CheckBudgetCommand, session: OpenSession): readonly SessionEvent[] => {
  const { profile, limits, crossed } = session;
  const trigger = triggerTokens(limits, profile);
  if (trigger === undefined) return [];
  const size = occupancy(session);
  const crossing = (threshold: Tokens) => ({
    occupancy: size,
    threshold,
    window: limits.window,
    turn: session.turn,
  });
  const warning = thresholdTokens(limits, profile.warnAt);
  const required = thresholdTokens(limits, profile.requireAt);

  const events: SessionEvent[] = [];
  if (size >= warning && !crossed.warning) {
    events.push({ type: 'CompactionWarning', data: crossing(warning) });
  }
  if (size >= required && !crossed.required) {
    events.push({ type: 'CompactionRequired', data: crossing(required) });
  }
  if (profile.mode !== 'automatic') return events;
  // What is required comes before the next request, wherever the trigger is and whenever it is looked at.
  const isPulled = size >= trigger && (size >= required || isTriggerLookedAt(session));
  if (!isPulled && size < required) return events;
  if (isPulled && !crossed.threshold) {
    events.push({ type: 'CompactionThresholdHit', data: crossing(trigger) });
  }
  const cause = session.modelSwitched ? 'model-switched' : 'threshold';
  return [...events, ...automatic(data.compactionId, session, cause)];
};

/** At most one at a time, none in the turn in which one has failed, and a reason for none is given once. */
export const automatic = (
  compactionId: CompactionId,
  session: OpenSession,
  trigger: Extract<Trigger, 'threshold' | 'model-switched' | 'overflow'>,
): readonly SessionEvent[] => {
  const { compaction, profile, restingInTurn, skipped, turn } = session;
  if (compaction || restingInTurn === turn || isBroken(session)) return [];
  const mended = closed(session, 'new-material');
  const { plan, givenUp } = planNow(session, profile);
  if (plan.kind === 'plan') {
    return [
      ...mended,
      ...givenUp,
      {
        type: 'CompactionRequested',
        data: {
          compactionId,
          trigger,
          profile,
          occupancy: occupancy(session),
          turn,
        },
      },
    ];
  }
  if (skipped === plan.reason.rule) return givenUp;
  return [
    ...givenUp,
    {
      type: 'CompactionSkipped',
      data: { trigger: trigger === 'overflow' ? trigger : 'threshold', reason: plan.reason },
    },
  ];
};
