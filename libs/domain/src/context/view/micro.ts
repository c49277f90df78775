import { PLACEHOLDER_TOKENS } from '../../compaction/stages/drop-tool-outputs.js';
import { isToolAmong } from '../../compaction/stages/exempt-tools.js';
import type { VisibleResult } from '../../compaction/stages/visible-results.js';
import type { OpenSession } from '../../session/state.js';
import { inBatches } from './in-batches.js';
import type { Reach } from './reach.js';

/** What a request holds in place of a result that was left out of it. */
export const CLEARED_RESULT_TEXT =
  "[This old result was left out of this request to save room. It is kept in the session's log.]";

/**
 * Returns the oldest tool results, also of the current turn, but for the newest `microKeepResults`, those in the tail
 * that stays, those of exempt tools, and those that the line in their place would only make longer. A result that is
 * left out once is always left out.
 */
export const clearedResults = (
  { entries, profile }: OpenSession,
  results: readonly VisibleResult[],
  { tail, waiting }: Reach,
): readonly VisibleResult[] => {
  const places = new Map(entries.map((entry, at) => [entry, at]));
  const isReached = ({ caller, at }: VisibleResult): boolean =>
    at < tail && (places.get(caller) ?? waiting) < waiting;
  const beyond = results.findIndex((result) => !isReached(result));
  const reached = beyond < 0 ? results.length : beyond;
  const surplus = Math.min(reached, results.length - profile.microKeepResults);
  const isExempt = isToolAmong(profile.exemptTools);
  return results
    .slice(0, inBatches(surplus, profile.microKeepResults))
    .filter(
      ({ tool, tokens, isDropped, isCollapsed }) =>
        !isDropped && !isCollapsed && tokens > PLACEHOLDER_TOKENS && !isExempt(tool),
    );
};
