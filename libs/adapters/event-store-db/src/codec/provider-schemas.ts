import { z } from 'zod';
import { bill, tokens } from './values.js';

const cleared = {
  clearedToolUses: z.int().min(0),
  clearedThinkingTurns: z.int().min(0),
  clearedInputTokens: tokens,
};
/** Context edits of the provider. */
export const providerDid = z.object({ compacted: z.boolean(), ...cleared });

/** Schemas of events about the provider's context management. */
export const PROVIDER_SCHEMAS = {
  ProviderContextEdited: z.object({
    turn: z.int(),
    responseId: z.string().min(1).optional(),
    ...cleared,
    compaction: z.object(bill).optional(),
    reasoningClearedIn: z.array(z.int()),
  }),
  DuplicateCompactionConfigured: z.object({
    profile: z.string().min(1),
    since: z.enum(['session-start', 'settings-changed']),
  }),
};
