import { isReasoning } from '../../message/index.js';
import type { SessionEvent } from '../../session/events.js';
import { editSummary, isEdit } from '../../session/provider-edits.js';
import type { OpenSession } from '../../session/state.js';
import type { ReportEditsCommand } from '../commands.js';
import { duplicateCompaction } from './double-compaction.js';

/**
 * Takes note of what the provider's own context management removed from a request. The manifest stays what it is;
 * where that was in the turn in which a compaction came into force here, two have shortened the same context.
 */
export const reportEdits = (
  { data: { responseId, edits } }: ReportEditsCommand,
  session: OpenSession,
): readonly SessionEvent[] => {
  if (responseId !== undefined && responseId === session.lastEditedResponseId) return []; // The same answer again.
  if (!isEdit(edits) && session.reasoningClearedIn.length === 0) return [];
  const edited: SessionEvent = {
    type: 'ProviderContextEdited',
    data: {
      turn: session.turn,
      ...(responseId !== undefined && { responseId }),
      ...edits,
      reasoningClearedIn: oldestWithReasoning(session, edits.clearedThinkingTurns),
    },
  };
  const { pivot, turn, duplicateCompactionId } = session;
  if (!isEdit(edits) || !pivot?.ran || pivot.turn !== turn) return [edited];
  // What it clears, it clears from every request of the turn: that is told once. Each compaction of its own is paid for.
  const { compaction } = edits;
  if (!compaction && duplicateCompactionId === pivot.compactionId) return [edited];
  const paid = { usage: compaction?.usage, cost: compaction?.cost };
  return [
    edited,
    duplicateCompaction(pivot.compactionId, pivot.ran, editSummary(edits, compaction !== undefined), paid),
  ];
};

/** The provider says how many it has cleared, and clears the oldest. */
const oldestWithReasoning = ({ entries }: OpenSession, count: number): readonly number[] => {
  const turns = new Set(
    entries.filter(({ message }) => message.blocks.some(isReasoning)).map(({ turn }) => turn),
  );
  return [...turns].slice(0, count);
};
