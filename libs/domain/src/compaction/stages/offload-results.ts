import { type MessageId, sumTokens, Tokens } from '@app/kernel';
import type { ToolResultOffloaded } from '../../session/events.js';
import type { OffloadedResult } from '../../session/marks.js';
import type { OpenSession } from '../../session/state.js';
import { pairingIn } from '../prepare/cuts.js';
import { type VisibleResult, visibleResults } from './visible-results.js';

/** What the words around a preview cost, with room to spare for any tokenizer. */
const PREVIEW_FRAME_TOKENS = 96;

/**
 * Results that are too large for a request: each over its own size, and of those that answer one message, where they
 * are too large together, the largest until they are not. What a result was found to be it stays: the same call is
 * shown the same way in every request, so that a provider's prompt cache goes on serving it.
 */
export const offloadResults = (session: OpenSession): readonly ToolResultOffloaded[] => {
  const { exemptTools } = session.profile;
  const byCaller = new Map<MessageId, VisibleResult[]>();
  for (const result of visibleResults(session, pairingIn(session))) {
    if (result.isDropped || result.isCollapsed) continue;
    const { messageId } = result.reference;
    byCaller.set(messageId, [...(byCaller.get(messageId) ?? []), result]);
  }
  return [...byCaller.values()].flatMap((results) => {
    const free = results.filter(({ tool, isOffloaded }) => !isOffloaded && !exemptTools.includes(tool));
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
  { profile }: OpenSession,
): readonly OffloadedResult[] => {
  const found: OffloadedResult[] = [];
  let left = together;
  for (const { reference, tokens } of results.toSorted((a, b) => b.tokens - a.tokens)) {
    const freed = tokens - profile.previewTokens - PREVIEW_FRAME_TOKENS;
    const isOver = tokens > profile.resultTokensMax;
    if (freed <= 0 || !(isOver || left > profile.resultsPerMessageMax)) continue;
    left -= freed;
    const because = isOver ? 'over-its-size' : 'over-the-size-of-its-message';
    found.push({ ...reference, tokens: Tokens(tokens), freed: Tokens(freed), because });
  }
  return found;
};
