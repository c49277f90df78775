import type { CompactionId, IsoTime } from '@app/kernel';
import { thresholdTokens } from '../../../budget/limits.js';
import { occupancy } from '../../../budget/occupancy.js';
import type { CheckBudgetCommand } from '../../commands.js';
import type { SessionEvent, Trigger } from '../../events.js';
import type { OpenSession } from '../../state.js';
import { carrying } from '../composing/carrying.js';
import { closed, isBroken, isCooledDown } from './circuit.js';
import { planNow } from './give-up-calls.js';

/**
 * Holds the next request against the thresholds: each upward crossing is recorded once, and a compaction is
 * requested where the profile compacts by itself and there is something to compact.
 */
export const checkBudget = ({ data }: CheckBudgetCommand, state: OpenSession): readonly SessionEvent[] => {
  const session = carrying(state, data.contributed);
  const { profile, limits, crossed } = session;
  if (limits.window === 0) return [];
  const size = occupancy(session);
  const crossing = (share: number) => {
    const threshold = thresholdTokens(limits, share);
    return { occupancy: size, threshold, window: limits.window, turn: session.turn };
  };
  const reaches = (share: number): boolean => size >= limits.window * share;

  const events: SessionEvent[] = [];
  if (reaches(profile.warnAt) && !crossed.warning) {
    events.push({ type: 'CompactionWarning', data: crossing(profile.warnAt) });
  }
  if (reaches(profile.requireAt) && !crossed.required) {
    events.push({ type: 'CompactionRequired', data: crossing(profile.requireAt) });
  }
  if (profile.mode !== 'automatic') return events;
  // What is required comes before the next request, wherever the trigger is.
  if (!reaches(profile.triggerAt) && !reaches(profile.requireAt)) return events;
  if (reaches(profile.triggerAt) && !crossed.threshold)
    events.push({ type: 'CompactionThresholdHit', data: crossing(profile.triggerAt) });
  const trigger = session.modelSwitched ? 'model-switched' : 'threshold';
  return [...events, ...automatic(data.compactionId, session, trigger, data.now)];
};

/**
 * At most one at a time, none in the turn in which one has failed unless that has cooled down, and a reason for none is
 * given once.
 */
export const automatic = (
  compactionId: CompactionId,
  session: OpenSession,
  trigger: Extract<Trigger, 'threshold' | 'model-switched' | 'overflow'>,
  now: IsoTime | undefined,
): readonly SessionEvent[] => {
  const { compaction, profile, restingInTurn, skipped, turn, messages, circuitOpenedAt, request } = session;
  const isResting = restingInTurn === turn && !isCooledDown(session, now);
  if (compaction || isResting || isBroken(session, now)) return [];
  const mended = closed(session, messages <= (circuitOpenedAt ?? 0) ? 'cool-down' : 'new-material');
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
          ...(request.contributed > 0 && { contributed: request.contributed }),
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
