import type { NoPlan, Plan, SkipReason } from '@app/domain';
import { table } from './table.js';

/** A plan as it is printed: sizes and ids, no content. `reason` stands in its place where there is none. */
export type PlanView =
  | { readonly plan: ReturnType<typeof viewOf> }
  | { readonly plan: null; readonly reason: SkipReason };

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
  tokensBefore: plan.tokensBefore,
  target: plan.target,
  ...(plan.targetRaised && { targetRaised: plan.targetRaised }),
  ...(plan.protection && { protection: plan.protection }),
  summaryMax: plan.summaryMax,
  retention: plan.retention,
});

export const renderPlan = (view: PlanView): string => {
  if (!view.plan) return `nothing to compact: ${reasonText(view.reason)}`;
  const { plan } = view;
  const rows = plan.retention.map((turn) => [
    turn.turn,
    turn.rule,
    turn.toolOutputs,
    turn.reasoning,
    turn.messages,
    turn.tokens,
  ]);
  return [
    `plan      ${plan.stages.join(', ')} under profile ${plan.profile}`,
    `covers    ${plan.covered.messages} messages; ${plan.retained} stay, from ${plan.cut.messageId} on`,
    `tokens    ${plan.tokensBefore} now, at most ${plan.target} afterwards (summary at most ${plan.summaryMax})`,
    ...(plan.targetRaised
      ? [`target    raised from ${plan.targetRaised.from}: ${plan.targetRaised.because}`]
      : []),
    ...(plan.protection ? [protectionText(plan.protection)] : []),
    '',
    table(['turn', 'rule', 'tool outputs', 'reasoning', 'messages', 'tokens'], rows),
  ].join('\n');
};

const protectionText = (protection: NonNullable<Plan['protection']>): string => {
  const kept = 'turns' in protection ? protection.turns : protection.tokens;
  const unit = 'turns' in protection ? 'turns' : 'tokens';
  return `protected ${kept} of ${protection.wanted} ${unit}: ${protection.because}`;
};

/** Why there is nothing to do, in a sentence with its numbers. */
export const reasonText = (reason: SkipReason): string => {
  switch (reason.rule) {
    case 'nothing-to-drop':
      return `all ${reason.messages} messages (${reason.occupancy} tokens) are protected or cannot be parted`;
    case 'floor-too-high': {
      const parts = reason.parts.map(({ part, tokens }) => `${part} ${tokens}`).join(', ');
      return `what no compaction can remove takes ${reason.floor} tokens, and only ${reason.budget} may be used (${parts})`;
    }
    case 'no-gain':
      return `${reason.before} tokens would become ${reason.after}, and more than ${reason.atMost} is not worth it`;
    case 'protection-strict':
      return `what is protected alone takes ${reason.protectedTokens} tokens, over the target of ${reason.target}, and the policy is strict`;
  }
};
