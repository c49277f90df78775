import type { OpenSession } from '../session/state.js';
import { isToolAmong } from '../turns/exempt-tools.js';
import type { VisibleResult } from '../turns/visible-results.js';
import type { Reach } from './reach.js';
import { placeholderTokens } from './recall/placeholders.js';
import { surplusInBatches } from './surplus-in-batches.js';

/**
 * Returns the oldest tool results, including the current turn, except the newest `microKeepResults`, those in the
 * protected tail, those of exempt tools, and those shorter than their replacement. A cleared result stays cleared.
 */
export const clearedResults = (
  session: OpenSession,
  results: readonly VisibleResult[],
  { tail, waiting }: Reach,
): readonly VisibleResult[] => {
  const { entries, profile } = session;
  const least = placeholderTokens(session);
  const places = new Map(entries.map((entry, at) => [entry, at]));
  const isReached = ({ caller, at }: VisibleResult): boolean =>
    at < tail && (places.get(caller) ?? waiting) < waiting;
  const beyond = results.findIndex((result) => !isReached(result));
  const reached = beyond < 0 ? results.length : beyond;
  const surplus = Math.min(reached, results.length - profile.microKeepResults);
  const isExempt = isToolAmong(profile.exemptTools);
  return results
    .slice(0, surplusInBatches(surplus, profile.microKeepResults))
    .filter(
      ({ tool, tokens, isDropped, isCollapsed }) =>
        !isDropped && !isCollapsed && tokens > least && !isExempt(tool),
    );
};
