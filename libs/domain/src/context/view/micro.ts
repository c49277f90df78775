import type { VisibleResult } from '../../compaction/stages/visible-results.js';
import type { OpenSession } from '../../session/state.js';
import { placeholderTokens } from '../recall/placeholders.js';
import { inBatches } from './in-batches.js';

/**
 * The oldest tool results before the protected turns, but for the newest `microKeepResults`, those of exempt tools, and
 * those that the line in their place would only make longer. Once left out, always left out, call by call.
 */
export const clearedResults = (
  session: OpenSession,
  results: readonly VisibleResult[],
): readonly VisibleResult[] => {
  const { profile, turn } = session;
  return results
    .slice(0, inBatches(results.length - profile.microKeepResults, profile.microKeepResults))
    .filter(
      ({ tool, answer, tokens, isDropped, isCollapsed }) =>
        !isDropped &&
        !isCollapsed &&
        tokens > placeholderTokens(session) &&
        answer.turn <= turn - profile.keepRecentTurns &&
        !profile.exemptTools.includes(tool),
    );
};
