import type { CompactionId } from '@app/kernel';
import { isReasoning } from '../../message/index.js';
import type { Cost, Usage } from '../../models/cost.js';
import type { Profile } from '../../profiles/profile.js';
import type { EventData, EventOf, ProviderEditSummary, SessionEvent } from '../../session/events.js';
import { editSummary, isEdit } from '../../session/recorded/provider-events.js';
import type { OpenSession, Paid, Pivot } from '../../session/state.js';
import type { Decide } from '../commands.js';

/**
 * Records content that the provider's context management removed from a request. The manifest is unchanged; in the
 * turn of a compaction here, both have shortened the same context, which is recorded too.
 */
export const reportEdits: Decide<'ReportEdits'> = ({ data: { responseId, edits } }, session) => {
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

/** The worker name of the provider's context management. */
const PROVIDER = 'provider';

/** Records once that both this engine and the provider compact; `before` is the previous profile. */
export const doubleConfigured = (
  profile: Profile,
  since: EventData<'DuplicateCompactionConfigured'>['since'],
  before?: Profile,
): readonly SessionEvent[] => {
  if (!compactsTwice(profile) || (before && compactsTwice(before))) return [];
  return [{ type: 'DuplicateCompactionConfigured', data: { profile: profile.name, since } }];
};

/** Whether this engine and the provider's own context management both compact. */
export const compactsTwice = ({ mode, providerContextManagement }: Profile): boolean =>
  mode === 'automatic' && providerContextManagement === 'configured';

/** Records a compaction of this engine and context edits of the provider in the same turn, with both costs. */
export const duplicateCompaction = (
  compactionId: CompactionId,
  { attempt, worker, ...ours }: NonNullable<Pivot['ran']>,
  provider: ProviderEditSummary,
  paidToProvider: Paid,
): EventOf<'CompactionDuplicated'> => ({
  type: 'CompactionDuplicated',
  data: {
    compactionId,
    attempt,
    worker: PROVIDER,
    ...paidFields(paidToProvider),
    provider,
    applied: { worker, ...paidFields(ours) },
  },
});

const paidFields = ({ usage, cost }: Paid): { readonly usage?: Usage; readonly cost?: Cost } => ({
  ...(usage && { usage }),
  ...(cost && { cost }),
});
