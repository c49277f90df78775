import { isReasoning } from '../../message/index.js';
import type { SessionEvent } from '../../session/events.js';
import { editSummary, isEdit } from '../../session/provider-edits.js';
import type { OpenSession } from '../../session/state.js';
import type { ReportEditsCommand } from '../commands.js';
import { duplicateCompaction } from './double-compaction.js';

/**
 * Records content that the provider's context management removed from a request. The manifest is unchanged; in the
 * turn of a compaction here, both have shortened the same context, which is recorded too.
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
  // The provider repeats clearings in every request of the turn: they are recorded once. Each of its compactions is
  // billed and recorded.
  const { compaction } = edits;
  if (!compaction && duplicateCompactionId === pivot.compactionId) return [edited];
  const paid = { usage: compaction?.usage, cost: compaction?.cost };
  return [
    edited,
    duplicateCompaction(pivot.compactionId, pivot.ran, editSummary(edits, compaction !== undefined), paid),
  ];
};

/** The provider reports a count only, and clears the oldest. */
const oldestWithReasoning = ({ entries }: OpenSession, count: number): readonly number[] => {
  const turns = new Set(
    entries.filter(({ message }) => message.blocks.some(isReasoning)).map(({ turn }) => turn),
  );
  return [...turns].slice(0, count);
};
