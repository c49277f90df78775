import type { Profile } from '../profiles/profile.js';
import type { RequestedPlan } from '../session/events.js';
import type { CompactionInFlight, OpenSession } from '../session/state.js';
import { layOut, pairingIn } from '../turns/cuts.js';
import { firstPlace } from '../turns/first-place.js';
import type { NoPlan, Plan } from './plan.js';
import { measureOf } from './prepare/measure.js';
import { planAt } from './prepare/plan-at.js';
import { prepare } from './prepare/prepare.js';
import { protectedFrom } from './prepare/protected.js';
import { dropToolOutputs } from './stages/drop-tool-outputs.js';

/** Returns what a request for a compaction records of its plan, which was made of `session`. */
export const requestedPlan = (plan: Plan, { messages, turn }: OpenSession): RequestedPlan => ({
  stages: plan.stages,
  cut: plan.cut,
  target: plan.target,
  ...(plan.targetRaised && { targetRaised: plan.targetRaised }),
  ...(plan.protection && { protection: plan.protection }),
  coveredMessages: plan.covered.length,
  countedBefore: plan.countedBefore,
  ...{ messages, turn },
});

/**
 * Returns the plan of the attempt that is running; all that came since it was made is retained. `undefined` where none is
 * running, or where what it covers has changed.
 */
export const runningPlan = (session: OpenSession): Plan | undefined => {
  const { compaction } = session;
  if (!compaction?.running) return undefined;
  const { profile, running, messages, plan } = compaction;
  const { stages, cut, target, coveredMessages, countedBefore, turn } = running;
  const { targetRaised, protection } = running;
  const own = { stages, cut, target, coveredMessages, countedBefore, messages, turn };
  const why = { ...(targetRaised && { targetRaised }), ...(protection && { protection }) };
  return planAsAsked(session, profile, plan ?? { ...own, ...why });
};

/** The plan of the next attempt: the requested one, or one made anew where what that covers has changed. */
export type NextPlan = { readonly plan: Plan | NoPlan; readonly asked: RequestedPlan | undefined };

/** Returns what the next attempt of a compaction does; `asked` is there where that is what was requested. */
export const nextPlan = (
  session: OpenSession,
  { profile, plan: asked }: Pick<CompactionInFlight, 'profile' | 'plan'>,
): NextPlan => {
  const plan = asked && planAsAsked(session, profile, asked);
  return plan ? { plan, asked } : { plan: prepare(session, profile), asked: undefined };
};

/**
 * What came since can belong to a group before the cut: a step that goes on with reasoning, a call whose result came
 * first. The cut then parts what belongs together, and the plan holds no more.
 */
const planAsAsked = (
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

/** Where the protected part began when the plan was made: what came since counts for neither its turns nor its tokens. */
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
