import { z } from 'zod';
import { cost, usage } from './usage-schema.js';

const tokens = z.int().min(0);

/** Context edits of the provider. */
export const providerDid = z.object({
  compacted: z.boolean(),
  clearedToolUses: z.int().min(0),
  clearedThinkingTurns: z.int().min(0),
  clearedInputTokens: tokens,
});

/** Schemas of events about the provider's context management. */
export const PROVIDER_SCHEMAS = {
  ProviderContextEdited: z.object({
    turn: z.int(),
    responseId: z.string().min(1).optional(),
    clearedToolUses: z.int().min(0),
    clearedThinkingTurns: z.int().min(0),
    clearedInputTokens: tokens,
    compaction: z.object({ usage: usage.optional(), cost: cost.optional() }).optional(),
    reasoningClearedIn: z.array(z.int()),
  }),
  DuplicateCompactionConfigured: z.object({
    profile: z.string().min(1),
    since: z.enum(['session-start', 'settings-changed']),
  }),
};
