import { PLACEHOLDER_TOKENS } from '../../compaction/stages/drop-tool-outputs.js';
import type { VisibleResult } from '../../compaction/stages/visible-results.js';
import type { OpenSession } from '../../session/state.js';
import { inBatches } from './in-batches.js';

/** What a request holds in place of a result that was left out of it. */
export const CLEARED_RESULT_TEXT =
  "[This old result was left out of this request to save room. It is kept in the session's log.]";

/**
 * The oldest tool results before the protected turns, but for the newest `microKeepResults`, those of exempt tools, and
 * those that the line in their place would only make longer. Once left out, always left out, call by call.
 */
export const clearedResults = (
  { profile, turn }: OpenSession,
  results: readonly VisibleResult[],
): readonly VisibleResult[] =>
  results
    .slice(0, inBatches(results.length - profile.microKeepResults, profile.microKeepResults))
    .filter(
      ({ tool, answer, tokens, isDropped, isCollapsed }) =>
        !isDropped &&
        !isCollapsed &&
        tokens > PLACEHOLDER_TOKENS &&
        answer.turn <= turn - profile.keepRecentTurns &&
        !profile.exemptTools.includes(tool),
    );
