import { sumTokens, Tokens } from '@app/kernel';
import { isReasoning } from '../../message/index.js';
import type { ReasoningDropped } from '../../session/events.js';
import { collapsedTurns, type OpenSession } from '../../session/state.js';

/**
 * Returns the mark that removes the reasoning of all turns before the protected ones, if the policy enables it. A
 * thinking loop never leaves its turn, so whole loops are removed; text and calls stay.
 */
export const dropReasoning = (session: OpenSession): ReasoningDropped | undefined => {
  const { profile, entries, turn, marks } = session;
  if (profile.reasoning !== 'drop-beyond-protected') return undefined;
  const gone = new Set(marks.droppedReasoning.map(({ messageId }) => messageId));
  const collapsed = collapsedTurns(session);
  const reasoning = entries.flatMap(({ message, blockTokens, turn: at }) => {
    const stays = at > turn - profile.keepRecentTurns || gone.has(message.id) || collapsed.has(at);
    if (stays || !message.blocks.some(isReasoning)) return [];
    const freed = sumTokens(blockTokens.filter((_, place) => isReasoningAt(message.blocks, place)));
    return [{ messageId: message.id, freed }];
  });
  return reasoning.length > 0
    ? { type: 'ReasoningDropped', data: { reasoning, turn, occupancyAfter: Tokens(0) } }
    : undefined;
};

const isReasoningAt = (
  blocks: OpenSession['entries'][number]['message']['blocks'],
  place: number,
): boolean => {
  const block = blocks[place];
  return block !== undefined && isReasoning(block);
};
