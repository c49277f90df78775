import { Tokens } from '@app/kernel';
import type { DroppedOutput, ToolOutputsPruned } from '../../session/events.js';
import type { OpenSession } from '../../session/state.js';
import { pairingIn } from '../../turns/cuts.js';
import { isToolAmong } from '../../turns/exempt-tools.js';
import { visibleResults } from '../../turns/visible-results.js';
import { placeholderTokens } from '../../view/recall/placeholders.js';

/**
 * Walks back over the tool outputs before the newest turns: the newest `pruneKeepTokens` stay, and older ones are
 * pruned if they reach `pruneMinGainTokens` tokens. The walk ends at the first pruned output.
 */
export const prune = (session: OpenSession): ToolOutputsPruned | undefined => {
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
