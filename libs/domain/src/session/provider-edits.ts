import type { ProviderEditSummary, ProviderEdits } from './events.js';

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
