import { type MessageId, sumTokens, Tokens } from '@app/kernel';
import type { EventOf } from '../../session/events.js';
import type { OffloadedResult } from '../../session/marks.js';
import type { OpenSession } from '../../session/state.js';
import { pairingIn } from '../../turns/cuts.js';
import { isToolAmong, type VisibleResult, visibleResults } from '../../turns/visible-results.js';

/** Upper bound of the tokens around a preview, for any tokenizer. */
const PREVIEW_FRAME_TOKENS = 96;

/**
 * Returns the results that are too large for a request: each over its own limit, and, per message, the largest until
 * their sum is within the limit. The decision for a result is final, so that it is sent the same way in every request
 * and prompt caches stay valid. Results of exempt tools are never offloaded; those of tools that are exempt from this
 * stage only are offloaded above `offloadExemptMaxShare` of the window.
 */
export const offloadResults = (session: OpenSession): readonly EventOf<'ToolResultOffloaded'>[] => {
  const isExempt = isToolAmong(session.profile.exemptTools);
  const byCaller = new Map<MessageId, VisibleResult[]>();
  for (const result of visibleResults(session, pairingIn(session))) {
    if (result.isDropped || result.isCollapsed) continue;
    const { messageId } = result.reference;
    const others = byCaller.get(messageId);
    if (others) others.push(result);
    else byCaller.set(messageId, [result]);
  }
  return [...byCaller.values()].flatMap((results) => {
    const free = results.filter(({ tool, isOffloaded }) => !isOffloaded && !isExempt(tool));
    return offloadedOf(free, sumTokens(results.map(({ tokens }) => tokens)), session).map(
      (one): EventOf<'ToolResultOffloaded'> => ({
        type: 'ToolResultOffloaded',
        data: { ...one, turn: session.turn, occupancyAfter: Tokens(0) },
      }),
    );
  });
};

const offloadedOf = (
  results: readonly VisibleResult[],
  together: number,
  { profile, limits }: OpenSession,
): readonly OffloadedResult[] => {
  const isReading = isToolAmong(profile.offloadExemptTools);
  const readingMax =
    limits.window === 0 ? Number.POSITIVE_INFINITY : limits.window * profile.offloadExemptMaxShare;
  const found: OffloadedResult[] = [];
  let left = together;
  const bySize = results.toSorted((a, b) => b.tokens - a.tokens);
  // Results of file readers are last, and are offloaded only if they alone are too large.
  const inOrder = [
    ...bySize.filter(({ tool }) => !isReading(tool)),
    ...bySize.filter(({ tool }) => isReading(tool)),
  ];
  for (const { reference, tool, tokens } of inOrder) {
    const freed = tokens - profile.previewTokens - PREVIEW_FRAME_TOKENS;
    const [most, mostTogether] = isReading(tool)
      ? [
          Math.max(profile.maxResultTokens, readingMax),
          Math.max(profile.maxResultTokensPerMessage, readingMax),
        ]
      : [profile.maxResultTokens, profile.maxResultTokensPerMessage];
    const isOver = tokens > most;
    if (freed <= 0 || !(isOver || left > mostTogether)) continue;
    left -= freed;
    const reason = isOver ? 'result-too-large' : 'message-results-too-large';
    found.push({ ...reference, tokens: Tokens(tokens), freed: Tokens(freed), reason });
  }
  return found;
};
