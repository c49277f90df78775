import type { PlanView } from '@app/contract';
import type { ProtectionYield, SkipReason, TurnRetention } from '@app/domain';
import { table } from './table.js';
import { countText } from './value-text.js';

export const renderPlan = (view: PlanView): string => {
  if (!view.plan) return `nothing to compact: ${reasonText(view.reason)}`;
  const { plan } = view;
  return [
    `plan      ${plan.stages.join(', ')} under profile ${plan.profile}`,
    `covers    ${countText(plan.covered.messages, 'message')}; ${plan.retained} stay, from ${plan.cut.messageId} on`,
    `billed    ${plan.billedBefore} tokens now, at most about ${plan.billedTarget} afterwards`,
    ...(plan.targetRaised
      ? [`target    raised from ${plan.targetRaised.from} counted tokens: ${plan.targetRaised.reason}`]
      : []),
    ...(plan.protection ? [protectionText(plan.protection)] : []),
    '',
    retentionTable(plan.retention),
  ].join('\n');
};

/** Shows the retention of each turn. */
export const retentionTable = (turns: readonly TurnRetention[]): string =>
  table(
    ['turn', 'rule', 'tool outputs', 'reasoning', 'messages', 'counted'],
    turns.map(({ turn, rule, toolOutputs, reasoning, messages, tokens }) => [
      turn,
      rule,
      toolOutputs,
      reasoning,
      messages,
      tokens,
    ]),
  );

/** Shows the tokens of protected messages that stay, and why some do not. */
export const protectionText = ({ by, wanted, kept, reason }: ProtectionYield): string =>
  `protected ${kept} of ${wanted} ${by === 'tokens' ? 'counted tokens' : by} stay whole: ${reason}`;

/** Explains in one sentence, with numbers, why a compaction is skipped. */
export const reasonText = (reason: SkipReason): string => {
  switch (reason.rule) {
    case 'nothing-to-drop':
      return `all ${reason.messages} messages are protected or cannot be parted; the next request takes ${reason.occupancy} billed tokens`;
    case 'floor-too-high': {
      const parts = reason.parts.map(({ part, tokens }) => `${part} ${tokens}`).join(', ');
      return `the floor, which no compaction can remove, takes ${reason.countedFloor} counted tokens, and only ${reason.countedBudget} may be used (${parts})`;
    }
    case 'no-gain':
      return `${reason.countedBefore} counted tokens would become ${reason.countedAfter}, and more than ${reason.countedLimit} is not worth it`;
    case 'protection-strict':
      return `the protected part alone takes ${reason.countedProtected} counted tokens, over the target of ${reason.countedTarget}, and the policy is strict`;
  }
};
