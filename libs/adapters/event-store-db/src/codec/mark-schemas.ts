import { LIMITS } from '@app/kernel';
import { z } from 'zod';
import { id, tokens } from './values.js';

/** A tool call by its message and its id. */
export const call = z.object({ messageId: id, callId: z.string().max(LIMITS.callId.max) });
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
