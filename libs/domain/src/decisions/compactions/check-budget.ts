import type { CompactionId, IsoTime, Tokens } from '@app/kernel';
import {
  pullsTrigger,
  reachesState,
  stateThresholds,
  thresholdTokens,
  triggerTokens,
} from '../../budget/limits.js';
import { reachedCount } from '../../occupancy/count-triggers.js';
import { isTriggerLookedAt, occupancy } from '../../occupancy/occupancy.js';
import type { CountTrigger, EventOf, SessionEvent, ThresholdName, Trigger } from '../../session/events.js';
import type { OpenSession } from '../../session/state.js';
import type { CommandOf, Decide } from '../commands.js';
import { crossingsTo, recordedAfter } from '../crossings.js';
import { automaticRequest, mayWait } from '../deferrals/deferral.js';
import { fits, withContributed } from '../requests/request-verdict.js';
import {
  stagesAtLast,
  stagesBeforeCompaction,
  stagesBeforeRequest,
  stateAfterEvents,
} from '../run-stages.js';
import { hasTimePassed, isBroken, trialOf } from './circuit.js';
import { planNow } from './give-up-calls.js';

/**
 * Checks the next request against the thresholds: records each upward crossing once, and requests a compaction if the
 * profile compacts automatically and there is content to compact.
 */
export const checkBudget: Decide<'CheckBudget'> = (command, state) => {
  const { contributed } = command.data;
  const isNews = contributed !== undefined && contributed !== state.request.contributed;
  const session = withContributed(state, contributed);
  const events = withLastCrossings(session, checked(command, session, isNews ? contributed : undefined));
  if (!command.data.willContinue) return events;
  return [
    ...awaited(state),
    ...events.map((event) =>
      event.type === 'CompactionRequested'
        ? { ...event, data: { ...event.data, willContinue: true } }
        : event,
    ),
  ];
};

/** The compaction in flight has interrupted no work: the client waits for it, and continues by itself. */
const awaited = ({ compaction, turn }: OpenSession): readonly SessionEvent[] => {
  if (!compaction?.profile.autoContinue || compaction.willContinue) return [];
  return [{ type: 'CompactionAwaited', data: { compactionId: compaction.compactionId, turn } }];
};

const checked = (
  { data }: CommandOf<'CheckBudget'>,
  session: OpenSession,
  contributed: Tokens | undefined,
): readonly SessionEvent[] => {
  if (session.limits.window === 0) return askedByCount(data, session);
  const light = withCrossings(session, stagesBeforeRequest(session), contributed);
  const now = stateAfterEvents(session, light);
  if (!isDue(now)) return [...light, ...askedByCount(data, now)];
  const stages = withCrossings(now, stagesBeforeCompaction(now));
  const lighter = stateAfterEvents(now, stages);
  if (!isDue(lighter)) return [...light, ...stages, ...askedByCount(data, lighter)];
  const trigger = session.modelSwitched ? 'model-switched' : 'threshold';
  const asked = automatic(data.compactionId, lighter, trigger, data.now);
  const after = stateAfterEvents(lighter, asked);
  const done = [...light, ...stages, ...asked];
  if (after.compaction || !isCritical(after)) return done;
  const last = withCrossings(after, stagesAtLast(after));
  const collapsed = stateAfterEvents(after, last);
  // The collapse may have made a compaction possible.
  const again = isDue(collapsed) ? automatic(data.compactionId, collapsed, trigger, data.now) : [];
  return [...done, ...last, ...again];
};

/** Returns the compaction requested by a count trigger, which needs no window. */
const askedByCount = (
  { compactionId, now }: CommandOf<'CheckBudget'>['data'],
  session: OpenSession,
): readonly SessionEvent[] => {
  if (session.profile.mode !== 'automatic' || !isTriggerLookedAt(session)) return [];
  const count = reachedCount(session, now);
  return count ? automatic(compactionId, session, 'threshold', now, count) : [];
};

/** Returns events with the threshold crossings that they cause, because a mark voids earlier bills. */
const withCrossings = (
  session: OpenSession,
  events: readonly SessionEvent[],
  contributed?: Tokens,
): readonly SessionEvent[] => {
  const after = stateAfterEvents(session, events);
  const crossings = crossingsTo(after, recordedAfter(session.crossed, events), contributed);
  return [...events, ...crossings, ...hitIn(after, contributed)];
};

/** Events with the thresholds that the last of them cross: calls that are given up let a request leave out more. */
const withLastCrossings = (
  session: OpenSession,
  events: readonly SessionEvent[],
): readonly SessionEvent[] => {
  if (!events.some(({ type }) => type === 'ToolCallAbandoned')) return events;
  return [
    ...events,
    ...crossingsTo(stateAfterEvents(session, events), recordedAfter(session.crossed, events)),
  ];
};

/**
 * Returns whether an automatic action is due. A required compaction comes before the next request, whatever the
 * trigger.
 */
const isDue = (session: OpenSession): boolean =>
  session.profile.mode === 'automatic' &&
  (isPulled(session) || isCritical(session) || !fits(session, occupancy(session)));

/** Whether the trigger is reached at a moment at which it counts. */
const isPulled = (session: OpenSession): boolean => {
  const { limits, profile } = session;
  if (!pullsTrigger(occupancy(session), limits, profile)) return false;
  return isCritical(session) || isTriggerLookedAt(session);
};

const isCritical = (session: OpenSession): boolean =>
  reachesState(occupancy(session), session.limits, session.profile, 'critical');

/** Returns the trigger if it is newly reached. */
const hitIn = (session: OpenSession, contributed: Tokens | undefined): readonly SessionEvent[] =>
  session.profile.mode === 'automatic' && isPulled(session) && !session.crossed.trigger
    ? [thresholdHit(session, 'trigger', contributed)]
    : [];

/** Returns whether no message followed the last automatic compaction, or the last request after an overflow. */
export const isSpent = ({ automaticAt, messages }: OpenSession): boolean => automaticAt === messages;

type ByItself = Extract<Trigger, 'threshold' | 'model-switched' | 'overflow' | 'idle'>;

/**
 * Requests an automatic compaction: at most one at a time, none in the turn of a failed one unless its cooldown is
 * over. A skip reason is recorded once.
 */
export const automatic = (
  compactionId: CompactionId,
  session: OpenSession,
  trigger: ByItself,
  now: IsoTime | undefined,
  count?: CountTrigger,
): readonly SessionEvent[] => {
  const { compaction, deferred, restingInTurn, skipped, turn } = session;
  const isResting = restingInTurn === turn && !hasTimePassed(session, now);
  if (compaction || isResting || isBroken(session, now) || isSpent(session)) return [];
  if (deferred && mayWait(session, trigger)) return []; // It serves this one too.
  const { plan, givenUp } = planNow(session, deferred?.profile ?? session.profile);
  if (plan.kind === 'plan') {
    return [
      ...trialOf(session, now),
      ...givenUp,
      ...announced(session, trigger, count),
      automaticRequest(session, compactionId, trigger, plan, count),
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

/** Every automatic compaction has a threshold that was hit: the crossing of the trigger, unless that has led to another one. */
const announced = (
  session: OpenSession,
  trigger: ByItself,
  count: CountTrigger | undefined,
): readonly SessionEvent[] => {
  if (count) return [thresholdHit(session, count.by, undefined, count)];
  if (trigger === 'overflow' || trigger === 'idle') return [thresholdHit(session, trigger)];
  const { crossed, limits, profile } = session;
  if (crossed.trigger && !crossed.isServed) return [];
  const isPulledNow = pullsTrigger(occupancy(session), limits, profile);
  return [thresholdHit(session, isPulledNow ? 'trigger' : 'required')];
};

const thresholdHit = (
  session: OpenSession,
  by: ThresholdName,
  contributed?: Tokens,
  count?: CountTrigger,
): EventOf<'CompactionThresholdHit'> => {
  const { limits, turn } = session;
  return {
    type: 'CompactionThresholdHit',
    data: {
      by,
      occupancy: occupancy(session),
      threshold: thresholdOf(session, by),
      window: limits.window,
      turn,
      ...(contributed !== undefined && { contributed }),
      ...(count && { reached: count.reached, at: count.at }),
    },
  };
};

const thresholdOf = ({ limits, profile }: OpenSession, by: ThresholdName): Tokens => {
  switch (by) {
    case 'trigger':
    case 'messages':
    case 'turns':
    case 'tool-calls':
    case 'minutes':
      return triggerTokens(limits, profile) ?? limits.window;
    case 'required':
      return stateThresholds(limits, profile).critical;
    case 'idle':
      return thresholdTokens(limits, profile.idleAtShare);
    case 'overflow':
      return limits.window;
  }
};
