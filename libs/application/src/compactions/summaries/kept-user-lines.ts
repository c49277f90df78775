import { type Plan, usersLines, usersLinesIn } from '@app/domain';
import type { TokenCounter } from '@app/ports';

/** Of the room for a summary, what the user's messages may take beside it at most. */
const SHARE_MAX = 0.5;

/**
 * The user's messages that stay word for word beside the summary of a plan, oldest first: the newest ones first, as far
 * as the policy gives them room; one that is too large for what is left is summarized, and those before it are looked at.
 */
export const keptUserLines = (plan: Plan, counter: TokenCounter): readonly string[] => {
  let left = Math.min(plan.profile.keepUserMessageTokens, Math.floor(plan.countedSummaryLimit * SHARE_MAX));
  if (left <= 0) return [];
  const known = usersLinesIn(plan.previousSummary ?? '');
  const covered = usersLines(plan.covered.map(({ message }) => message));
  const kept = [...known, ...covered].reverse().filter((line) => {
    const tokens = counter.count(line) + 1; // Its line break.
    if (tokens > left) return false;
    left -= tokens;
    return true;
  });
  return kept.reverse();
};
