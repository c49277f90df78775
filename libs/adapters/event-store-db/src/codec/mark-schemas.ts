import { RETENTION_DAYS_MAX, RETENTION_MODES } from '@app/domain';
import { LIMITS } from '@app/kernel';
import { z } from 'zod';
import { cost, id, time, tokens, usage } from './common.js';

const call = z.object({ messageId: id, callId: z.string().max(LIMITS.callId.max) });
export const droppedOutput = call.extend({ freed: tokens, by: z.literal('prune').optional() });
const offloaded = call.extend({
  tokens,
  freed: tokens,
  reason: z.enum(['result-too-large', 'message-results-too-large']),
});
const droppedReasoning = z.object({ messageId: id, freed: tokens });
const segment = z.object({ turn: z.int(), messageId: id, to: id, messages: z.int(), tokens, freed: tokens });

/** Facts about compactions by the agent of an imported session. */
export const imported = z.object({
  format: id,
  trigger: z.enum(['automatic', 'manual']).optional(),
  at: z.string().optional(),
  tokensBefore: tokens.optional(),
  tokensAfter: tokens.optional(),
});

/** Marks in an opening state. */
export const marks = z.object({
  offloaded: z.array(offloaded),
  droppedReasoning: z.array(droppedReasoning),
  collapsed: z.array(segment),
});

/** The shapes of durable marks. */
export const STAGE_SCHEMAS = {
  ToolResultOffloaded: offloaded.extend({ turn: z.int(), occupancyAfter: tokens }),
  ToolOutputsPruned: z.object({
    outputs: z.array(droppedOutput),
    kept: tokens,
    pruned: tokens,
    turn: z.int(),
    occupancyAfter: tokens,
    imported: imported.optional(),
  }),
  ReasoningDropped: z.object({ reasoning: z.array(droppedReasoning), turn: z.int(), occupancyAfter: tokens }),
  SegmentCollapsed: segment.extend({ pivot: id.nullable(), occupancyAfter: tokens }),
};

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
    compaction: z.object({ usage: usage.optional(), cost: cost.optional() }).optional(),
    reasoningClearedIn: z.array(z.int()),
  }),
  DuplicateCompactionConfigured: z.object({
    profile: z.string().min(1),
    since: z.enum(['session-start', 'settings-changed']),
  }),
};

const byAt = { by: id, at: time };
const mode = z.enum(RETENTION_MODES);
const days = z.int().min(1).max(RETENTION_DAYS_MAX);
const legalHold = z.object({ matter: id, reason: z.string(), ...byAt });

/** Retention of new sessions. */
export const retentionDefault = z.object({ mode, days });

/** Retention period and legal holds of a session. */
export const protection = z.object({
  period: z.object({ mode, until: time, days: days.optional() }).optional(),
  holds: z.array(legalHold),
});

/** Schemas of events about retention periods and legal holds. */
export const PROTECTION_SCHEMAS = {
  RetentionPeriodSet: z.object({
    mode,
    until: time,
    days: days.optional(),
    previousUntil: time.optional(),
    source: z.enum(['caller', 'tenant-default', 'activity']),
    reason: z.string().optional(),
    ...byAt,
  }),
  RetentionPeriodRemoved: z.object({ previousUntil: time, reason: z.string(), ...byAt }),
  RetentionPeriodEnded: z.object({ until: time, at: time }),
  LegalHoldPlaced: legalHold,
  LegalHoldReleased: legalHold,
};
