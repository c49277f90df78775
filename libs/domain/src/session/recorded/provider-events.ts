import type { NonEmpty, Tokens } from '@app/kernel';
import type { PaidUsage } from '../facts.js';

/** Context edits of the provider in one request, as reported in its answer. */
export type ProviderEdits = {
  readonly clearedToolUses: number;
  readonly clearedThinkingTurns: number;
  /** Cleared tokens of the request, as the provider counted them. */
  readonly clearedInputTokens: Tokens;
  /** The provider's own compaction, with its bill. */
  readonly compaction?: PaidUsage;
};

/** Context edits of the provider in a turn in which this engine compacted. */
export type ProviderEditSummary = Omit<ProviderEdits, 'compaction'> & { readonly compacted: boolean };

/** Whether the provider's own context management changed anything. */
export const isEdit = ({
  clearedToolUses,
  clearedThinkingTurns,
  clearedInputTokens,
  compaction,
}: ProviderEdits): boolean =>
  clearedToolUses + clearedThinkingTurns + clearedInputTokens > 0 || compaction !== undefined;

/** Returns the summary of the edits for an event. */
export const editSummary = (
  { clearedToolUses, clearedThinkingTurns, clearedInputTokens }: Omit<ProviderEdits, 'compaction'>,
  compacted: boolean,
): ProviderEditSummary => ({ compacted, clearedToolUses, clearedThinkingTurns, clearedInputTokens });

/** Data of events by type. */
export type ProviderEvents = {
  /** The provider removed content from one request; the manifest is unchanged. */
  ProviderContextEdited: ProviderEdits & {
    turn: number;
    /** The provider's id of the reporting answer, if known: a repeated report is ignored. */
    responseId?: NonEmpty;
    /** Turns whose reasoning the model did not see, oldest first. */
    reasoningClearedIn: readonly number[];
  };
  /** The provider is set up to compact the session too. */
  DuplicateCompactionConfigured: { profile: NonEmpty; since: 'session-start' | 'settings-changed' };
};
