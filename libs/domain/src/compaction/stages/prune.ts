import { Tokens } from '@app/kernel';
import { isReasoning, type Pairing } from '../../message/index.js';
import type { Profile } from '../../profiles/profile.js';
import type { DroppedOutput, EventOf } from '../../session/events.js';
import { collapsedTurns, type OpenSession } from '../../session/state.js';
import { pairingIn } from '../../turns/cuts.js';
import { isToolAmong, visibleResults } from '../../turns/visible-results.js';
import { reasoningTokens } from '../../view/muted.js';
import { placeholderTokens } from '../../view/recall/recall-tool.js';

/**
 * Walks back over the tool outputs before the newest turns: the newest `pruneKeepTokens` stay, and older ones are
 * pruned if they reach `pruneMinGainTokens` tokens. The walk ends at the first pruned output.
 */
export const prune = (session: OpenSession): EventOf<'ToolOutputsPruned'> | undefined => {
  const { profile, turn } = session;
  const outputs: DroppedOutput[] = [];
  const isExempt = isToolAmong(profile.exemptTools);
  let [seen, kept, pruned] = [0, 0, 0];
  for (const result of visibleResults(session, pairingIn(session)).toReversed()) {
    const { reference, tool, answer, tokens, isDropped, isCollapsed } = result;
    if (isCollapsed || answer.turn > turn - profile.pruneKeepTurns || isExempt(tool)) continue;
    if (isDropped) break;
    seen += tokens;
    const freed = tokens - placeholderTokens(session);
    if (seen <= profile.pruneKeepTokens || freed <= 0) kept += tokens;
    else {
      pruned += tokens;
      outputs.unshift({ ...reference, freed: Tokens(freed) });
    }
  }
  if (outputs.length === 0 || pruned < profile.pruneMinGainTokens) return undefined;
  return {
    type: 'ToolOutputsPruned',
    data: { outputs, kept: Tokens(kept), pruned: Tokens(pruned), turn, occupancyAfter: Tokens(0) },
  };
};

/**
 * Returns the mark that removes the reasoning of all turns before the protected ones, if the policy enables it. A
 * thinking loop never leaves its turn, so whole loops are removed; text and calls stay.
 */
export const dropReasoning = (session: OpenSession): EventOf<'ReasoningDropped'> | undefined => {
  const { profile, entries, turn, marks } = session;
  if (profile.reasoning !== 'drop-beyond-protected') return undefined;
  const gone = new Set(marks.droppedReasoning.map(({ messageId }) => messageId));
  const collapsed = collapsedTurns(session);
  const reasoning = entries.flatMap(({ message, blockTokens, turn: at }) => {
    const stays = at > turn - profile.keepRecentTurns || gone.has(message.id) || collapsed.has(at);
    if (stays || !message.blocks.some(isReasoning)) return [];
    const freed = reasoningTokens({ message, blockTokens });
    return [{ messageId: message.id, freed }];
  });
  return reasoning.length > 0
    ? { type: 'ReasoningDropped', data: { reasoning, turn, occupancyAfter: Tokens(0) } }
    : undefined;
};

/**
 * Returns all outputs before index `protectedFrom` that are longer than their replacement, except those of exempt
 * tools. A permanent mark: call and result stay paired.
 */
export const dropToolOutputs = (
  session: OpenSession,
  pairing: Pairing,
  { protectedFrom, exemptTools }: { readonly protectedFrom: number } & Pick<Profile, 'exemptTools'>,
): readonly DroppedOutput[] => {
  const isExempt = isToolAmong(exemptTools);
  return visibleResults(session, pairing).flatMap(
    ({ reference, tool, at, tokens, isDropped, isCollapsed }): DroppedOutput[] => {
      const freed = tokens - placeholderTokens(session);
      const stays = isDropped || isCollapsed || isExempt(tool) || at >= protectedFrom;
      return stays || freed <= 0 ? [] : [{ ...reference, freed: Tokens(freed) }];
    },
  );
};
