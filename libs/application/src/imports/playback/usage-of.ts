import type { Usage } from '@app/domain';
import type { TranscriptUsage } from '@app/formats';
import { Tokens } from '@app/kernel';

/** Returns the billed usage that a transcript has recorded. */
export const usageOf = (usage: TranscriptUsage): Usage => ({
  inputTokens: Tokens(usage.inputTokens),
  cacheReadTokens: Tokens(usage.cacheReadTokens),
  cacheWriteTokens: Tokens(usage.cacheWriteTokens),
  outputTokens: Tokens(usage.outputTokens),
});
