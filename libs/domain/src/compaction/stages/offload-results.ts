import { type MessageId, sumTokens, Tokens } from '@app/kernel';
import type { ToolResultOffloaded } from '../../session/events.js';
import type { OffloadedResult } from '../../session/marks.js';
import type { OpenSession } from '../../session/state.js';
import { pairingIn } from '../../turns/cuts.js';
import { isToolAmong } from '../../turns/exempt-tools.js';
import { type VisibleResult, visibleResults } from '../../turns/visible-results.js';

/** What the words around a preview cost, with room to spare for any tokenizer. */
const PREVIEW_FRAME_TOKENS = 96;

/**
 * Results that are too large for a request: each over its own size, and of those that answer one message, where they
 * are too large together, the largest until they are not. What a result was found to be it stays: the same call is
 * shown the same way in every request, so that a provider's prompt cache goes on serving it. Results of exempt tools
 * never go; those of tools that are exempt from this stage alone go from `offloadExemptMaxShare` of the window on, so that
 * one reading cannot fill it.
 */
export const offloadResults = (session: OpenSession): readonly ToolResultOffloaded[] => {
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
      (one): ToolResultOffloaded => ({
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
  // What reads files goes last, and only where it alone is too much.
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
