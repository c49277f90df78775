import { pick } from '@app/kernel';
import type { Profile } from '../profiles/profile.js';
import type { RequestedPlan } from '../session/events.js';
import type { CompactionInFlight, OpenSession } from '../session/state.js';
import { layOut, pairingIn } from '../turns/cuts.js';
import { firstPlace } from '../turns/turns-of.js';
import type { NoPlan, Plan } from './plan.js';
import { measureOf, protectedFrom } from './prepare/measure.js';
import { planAt } from './prepare/plan-at.js';
import { prepare } from './prepare/prepare.js';
import { dropToolOutputs } from './stages/prune.js';

/** Returns the recorded form of a plan that was made for `session`. */
export const requestedPlan = (plan: Plan, { messages, turn }: OpenSession): RequestedPlan => ({
  ...pick(plan, 'stages', 'cut', 'target', 'targetRaised', 'protection'),
  coveredMessages: plan.covered.length,
  countedBefore: plan.countedBefore,
  messages,
  turn,
});

/**
 * Returns the plan of the running attempt, which retains all messages since the plan. `undefined` if none is running,
 * or if the covered entries have changed.
 */
export const runningPlan = (session: OpenSession): Plan | undefined => {
  const { compaction } = session;
  if (!compaction?.running) return undefined;
  const { profile, running, messages, plan } = compaction;
  const { stages, cut, target, coveredMessages, countedBefore, turn } = running;
  const { targetRaised, protection } = running;
  const own = { stages, cut, target, coveredMessages, countedBefore, messages, turn };
  const why = { ...(targetRaised && { targetRaised }), ...(protection && { protection }) };
  return requestedPlanOf(session, profile, plan ?? { ...own, ...why });
};

/** The plan of the next attempt: the requested one, or a new one if the covered entries have changed. */
export type NextPlan = { readonly plan: Plan | NoPlan; readonly asked: RequestedPlan | undefined };

/** Returns the plan of the next attempt; `asked` is set if it is the requested one. */
export const nextPlan = (
  session: OpenSession,
  { profile, plan: asked }: Pick<CompactionInFlight, 'profile' | 'plan'>,
): NextPlan => {
  const plan = asked && requestedPlanOf(session, profile, asked);
  return plan ? { plan, asked } : { plan: prepare(session, profile), asked: undefined };
};

/**
 * A late message can belong to a group before the cut: a step that continues reasoning, or a call whose result came
 * first. The cut would then split the group, and the plan is no longer valid.
 */
const requestedPlanOf = (
  session: OpenSession,
  profile: Profile,
  { stages, cut, target, targetRaised, protection, coveredMessages, messages, turn }: RequestedPlan,
): Plan | undefined => {
  const at = session.entries.findIndex((entry) => entry.message.id === cut.messageId);
  if (at < 0) return undefined;
  const layout = layOut(session);
  const drops = stages.includes('drop-tool-outputs');
  if (!drops && !layout.cuts.includes(at)) return undefined;
  const droppedOutputs = drops
    ? dropToolOutputs(session, pairingIn(session), {
        protectedFrom: protectedThen(session, profile, { messages, turn }),
        exemptTools: profile.exemptTools,
      })
    : [];
  const decision = { at: drops ? 0 : at, stages, target, targetRaised, protection, droppedOutputs };
  const plan = planAt(session, profile, decision, layout, measureOf(session, profile));
  return plan.covered.length === coveredMessages ? { ...plan, plannedMessages: messages } : undefined;
};

/**
 * Returns the start of the protected part at the time of the plan: later messages count neither as turns nor as
 * tokens.
 */
const protectedThen = (
  session: OpenSession,
  profile: Profile,
  { messages, turn }: Pick<RequestedPlan, 'messages' | 'turn'>,
): number => {
  const { entries } = session;
  const since = firstPlace(entries.length, (place) => (entries[place]?.position ?? messages) >= messages);
  const then: OpenSession = { ...session, entries: entries.slice(0, since), turn };
  return protectedFrom(then, layOut(then), profile, measureOf(then, profile));
};
