import { isReasoning } from '../../../message/index.js';
import type { ReportEditsCommand } from '../../commands.js';
import type { SessionEvent } from '../../events.js';
import type { OpenSession } from '../../state.js';
import { doubleRan } from './double-compaction.js';

/**
 * Takes note of what the provider's own context management removed from a request. The manifest stays what it is;
 * where the provider has compacted in the turn in which a compaction came into force here, both were paid for.
 */
export const reportEdits = (
  { data: { responseId, edits } }: ReportEditsCommand,
  session: OpenSession,
): readonly SessionEvent[] => {
  if (responseId !== undefined && responseId === session.editsReported) return []; // The same answer again.
  const { clearedToolUses, clearedThinkingTurns, clearedInputTokens, compaction } = edits;
  const isEdited =
    clearedToolUses + clearedThinkingTurns + clearedInputTokens > 0 || compaction !== undefined;
  if (!isEdited && session.reasoningClearedIn.length === 0) return [];
  const edited: SessionEvent = {
    type: 'ProviderContextEdited',
    data: {
      turn: session.turn,
      ...(responseId !== undefined && { responseId }),
      ...edits,
      reasoningClearedIn: oldestWithReasoning(session, clearedThinkingTurns),
    },
  };
  const { pivot, turn } = session;
  const isDouble = compaction && pivot?.ran && pivot.turn === turn;
  if (!isDouble) return [edited];
  return [
    edited,
    doubleRan(pivot.compactionId, pivot.ran, { usage: compaction.usage, cost: compaction.cost }),
  ];
};

/** The provider says how many it has cleared, and clears the oldest. */
const oldestWithReasoning = ({ entries }: OpenSession, count: number): readonly number[] => {
  const turns = new Set(
    entries.filter(({ message }) => message.blocks.some(isReasoning)).map(({ turn }) => turn),
  );
  return [...turns].slice(0, count);
};
