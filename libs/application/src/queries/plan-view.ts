import type { PlanView } from '@app/contract';
import type { NoPlan, Plan } from '@app/domain';

export const planView = (plan: Plan | NoPlan): PlanView =>
  plan.kind === 'none' ? { plan: null, reason: plan.reason } : { plan: viewOf(plan) };

const viewOf = (plan: Plan) => ({
  profile: plan.profile.name,
  stages: plan.stages,
  cut: plan.cut,
  splitTurn: plan.splitPrefix.length > 0,
  covered: {
    messages: plan.covered.length,
    from: plan.covered[0]?.message.id ?? null,
    to: plan.covered.at(-1)?.message.id ?? null,
  },
  retained: plan.retained.length + (plan.carried ? 1 : 0),
  droppedOutputs: plan.droppedOutputs.length,
  countedBefore: plan.countedBefore,
  billedBefore: plan.billedBefore,
  target: plan.target,
  billedTarget: plan.billedTarget,
  ...(plan.targetRaised && { targetRaised: plan.targetRaised }),
  ...(plan.protection && { protection: plan.protection }),
  countedSummaryLimit: plan.countedSummaryLimit,
  retention: plan.retention,
});
