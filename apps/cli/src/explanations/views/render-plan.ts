import type { WhyCut } from '@app/contract';
import { protectionText as yieldText } from '../../output/plan-view.js';

/** Explains the cut; empty if the compaction ended before it had a plan. */
export const planText = (plan: WhyCut | null): readonly string[] => {
  if (!plan) return [];
  const { stages, cut, countedBefore, target, targetRaised, countedSummaryLimit } = plan;
  return [
    `stages    ${stages.join(', ')}`,
    ...(stages.includes('summarize')
      ? [`cut       before ${cut.messageId} (revision ${cut.revision}), which stays with all that follows`]
      : [`cut       stays where it was: dropping tool outputs was enough`]),
    ...protectionText(plan),
    `target    ${target} of ${countedBefore} counted tokens${countedSummaryLimit === null ? '' : `, the framed summary at most ${countedSummaryLimit}`}`,
    ...(targetRaised ? [`          raised from ${targetRaised.from}: ${targetRaised.reason}`] : []),
  ];
};

const protectionText = (plan: WhyCut): readonly string[] => {
  const { splitTurn, carried } = plan;
  const split = `split     inside a turn, between two atomic groups${carried ? `; ${carried}, which began it, stays` : ''}`;
  return [keptText(plan), ...(splitTurn ? [split] : [])];
};

const keptText = ({ protectedTurns, protectedTokens, protection }: WhyCut): string => {
  if (protection) return yieldText(protection);
  const unit = protectedTokens ? 'counted tokens' : 'turns';
  const { wanted, kept } = protectedTokens ?? protectedTurns ?? { wanted: 0, kept: null };
  if (kept === null) return `protected ${wanted} ${unit} wanted`;
  return `protected ${kept} of ${wanted} ${unit} stay whole`;
};
