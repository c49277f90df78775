import type { PlanView } from '@app/application';
import type { ProtectionYield, SkipReason } from '@app/domain';
import { table } from './table.js';

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

/** How much of what the policy protects stays, and why not all of it. */
export const protectionText = ({ by, wanted, kept, because }: ProtectionYield): string =>
  `protected ${kept} of ${wanted} ${by} stay whole: ${because}`;

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
