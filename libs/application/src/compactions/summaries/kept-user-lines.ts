import { type Plan, usersLines, usersLinesIn } from '@app/domain';
import type { TokenCounter } from '@app/ports';

/** Maximum share of the summary's tokens for verbatim user messages. */
const SHARE_MAX = 0.5;

/**
 * Returns the user messages that are kept verbatim with the summary, oldest first. They are selected newest first within the
 * policy's limit; a message that is too large for the remaining room is skipped and summarized.
 */
export const keptUserLines = (plan: Plan, counter: TokenCounter): readonly string[] => {
  let left = Math.min(plan.profile.keepUserMessageTokens, Math.floor(plan.countedSummaryLimit * SHARE_MAX));
  if (left <= 0) return [];
  const known = usersLinesIn(plan.previousSummary ?? '');
  const covered = usersLines(plan.covered.map(({ message }) => message));
  const kept = [...known, ...covered].reverse().filter((line) => {
    const tokens = counter.count(line) + 1; // Plus the line break.
    if (tokens > left) return false;
    left -= tokens;
    return true;
  });
  return kept.reverse();
};
