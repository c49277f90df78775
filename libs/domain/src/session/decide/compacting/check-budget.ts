import type { CompactionId, IsoTime, Tokens } from '@app/kernel';
import { pullsTrigger, thresholdTokens, triggerTokens } from '../../../budget/limits.js';
import { occupancy } from '../../../budget/occupancy.js';
import { isTriggerLookedAt } from '../../../budget/trigger-time.js';
import type { CheckBudgetCommand } from '../../commands.js';
import type { SessionEvent, Trigger } from '../../events.js';
import type { OpenSession } from '../../state.js';
import { carrying } from '../composing/carrying.js';
import { stagesAtLast, stagesBeforeCompaction, stagesBeforeRequest, stateAfterAll } from '../run-stages.js';
import { automaticRequest, mayWait } from '../waiting/deferral.js';
import { closed, isBroken, isCooledDown } from './circuit.js';
import { planNow } from './give-up-calls.js';

/**
 * Holds the next request against the thresholds: each upward crossing is recorded once, and a compaction is
 * requested where the profile compacts by itself and there is something to compact.
 */
export const checkBudget = (command: CheckBudgetCommand, state: OpenSession): readonly SessionEvent[] => {
  const events = checked(command, carrying(state, command.data.contributed));
  if (!command.data.workGoesOn) return events;
  return events.map((event) =>
    event.type === 'CompactionRequested' ? { ...event, data: { ...event.data, workGoesOn: true } } : event,
  );
};

const checked = ({ data }: CheckBudgetCommand, session: OpenSession): readonly SessionEvent[] => {
  if (session.limits.window === 0) return [];
  const light = withCrossings(session, stagesBeforeRequest(session));
  const now = stateAfterAll(session, light);
  if (!isDue(now)) return light;
  const stages = withCrossings(now, stagesBeforeCompaction(now));
  const lighter = stateAfterAll(now, stages);
  if (!isDue(lighter)) return [...light, ...stages];
  const trigger = session.modelSwitched ? 'model-switched' : 'threshold';
  const asked = automatic(data.compactionId, lighter, trigger, data.now);
  const after = stateAfterAll(lighter, asked);
  const done = [...light, ...stages, ...asked];
  if (after.compaction || !reaches(after, after.profile.requireAt)) return done;
  const last = withCrossings(after, stagesAtLast(after));
  const collapsed = stateAfterAll(after, last);
  // What could not be compacted before may be now.
  const again = isDue(collapsed) ? automatic(data.compactionId, collapsed, trigger, data.now) : [];
  return [...done, ...last, ...again];
};

/** Events with the thresholds that are reached once they are recorded: what was billed is void after a mark. */
const withCrossings = (session: OpenSession, events: readonly SessionEvent[]): readonly SessionEvent[] => [
  ...events,
  ...crossingsOf(stateAfterAll(session, events)),
];

/** Whether something has to be done by itself. What is required comes before the next request, wherever the trigger is. */
const isDue = (session: OpenSession): boolean =>
  session.profile.mode === 'automatic' && (isPulled(session) || reaches(session, session.profile.requireAt));

/** Whether the trigger is reached at a moment at which it counts. */
const isPulled = (session: OpenSession): boolean => {
  const { limits, profile } = session;
  if (!pullsTrigger(occupancy(session), limits, profile)) return false;
  return reaches(session, profile.requireAt) || isTriggerLookedAt(session);
};

const reaches = (session: OpenSession, share: number): boolean =>
  occupancy(session) >= session.limits.window * share;

/** The thresholds that are reached and were not before. */
const crossingsOf = (session: OpenSession): readonly SessionEvent[] => {
  const { profile, limits, crossed, turn } = session;
  const size = occupancy(session);
  const crossing = (threshold: Tokens) => ({ occupancy: size, threshold, window: limits.window, turn });
  const events: SessionEvent[] = [];
  if (reaches(session, profile.warnAt) && !crossed.warning) {
    events.push({ type: 'CompactionWarning', data: crossing(thresholdTokens(limits, profile.warnAt)) });
  }
  if (reaches(session, profile.requireAt) && !crossed.required) {
    events.push({ type: 'CompactionRequired', data: crossing(thresholdTokens(limits, profile.requireAt)) });
  }
  const trigger = triggerTokens(limits, profile);
  if (trigger !== undefined && profile.mode === 'automatic' && isPulled(session) && !crossed.threshold)
    events.push({ type: 'CompactionThresholdHit', data: crossing(trigger) });
  return events;
};

/** Whether nothing has come since an automatic one came into force, or was asked for because of an overflow. */
export const isSpent = ({ automaticAt, messages }: OpenSession): boolean => automaticAt === messages;

/**
 * At most one at a time, none in the turn in which one has failed unless that has cooled down, and a reason for none is
 * given once.
 */
export const automatic = (
  compactionId: CompactionId,
  session: OpenSession,
  trigger: Extract<Trigger, 'threshold' | 'model-switched' | 'overflow' | 'idle'>,
  now: IsoTime | undefined,
): readonly SessionEvent[] => {
  const { compaction, deferred, restingInTurn, skipped, turn, messages, circuitOpenedAt } = session;
  const isResting = restingInTurn === turn && !isCooledDown(session, now);
  if (compaction || isResting || isBroken(session, now) || isSpent(session)) return [];
  if (deferred && mayWait(session, trigger)) return []; // It serves this one too.
  const mended = closed(session, messages <= (circuitOpenedAt ?? 0) ? 'cool-down' : 'new-material');
  const { plan, givenUp } = planNow(session, deferred?.profile ?? session.profile);
  if (plan.kind === 'plan') {
    return [...mended, ...givenUp, automaticRequest(session, compactionId, trigger, plan)];
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
