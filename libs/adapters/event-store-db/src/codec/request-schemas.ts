import { WIRE_FORMATS } from '@app/domain';
import { z } from 'zod';

const tokens = z.int().min(0);
const id = z.string().min(1);
const contributions = z.array(z.object({ name: id, tokens })).optional();
const rung = z.enum(['mask-outputs', 'drop-groups', 'newest-group']);
const budgetState = z.enum(['normal', 'warning', 'critical', 'blocking']);

const contribution = z.object({ name: id, text: z.string() });
const textChange = z.object({
  digest: id,
  text: z.string(),
  keptStart: z.int().min(0).optional(),
  keptEnd: z.int().min(0).optional(),
});
const messageForm = z.array(z.array(z.union([z.string(), z.int()])));

/** The shape of what an opening state carries of the parts of requests that are not history. */
export const openingParts = z.object({
  systemPrompt: z.string().optional(),
  tools: z.array(z.record(z.string(), z.json())).optional(),
  fixedTokens: tokens.optional(),
  contributions: z.array(contribution).optional(),
  client: z
    .object({
      format: z.enum(WIRE_FORMATS),
      before: z.string(),
      separator: z.string(),
      after: z.string(),
      forms: z.array(z.object({ messageId: id, form: messageForm })),
      literal: z.string().optional(),
    })
    .optional(),
});

export const until = z.enum(['turn-end', 'released']);
export const hold = z.object({ until, by: id, reason: z.string(), turn: z.int() });

/** The shapes of what is recorded where compactions are held back, and released. */
export const HOLD_SCHEMAS = {
  CompactionsHeld: hold,
  CompactionsReleased: z.object({ by: id, reason: z.string() }),
};

/** The shapes of what is recorded where requests are composed or refused. */
export const REQUEST_SCHEMAS = {
  RequestComposed: z.object({
    requestId: id,
    format: z.enum(WIRE_FORMATS),
    revision: z.int().min(0),
    turn: z.int(),
    tokens,
    window: tokens,
    state: budgetState,
    epoch: z.int(),
    stages: z.array(id),
    notes: z.array(z.object({ did: id, because: id.optional(), count: z.int() })),
    countedSaved: tokens.optional(),
    digest: id,
    parts: z.object({ systemPrompt: id, tools: id, contributions: id.optional(), client: id.optional() }),
    contributions,
    failedProviders: z.array(id).optional(),
    ladder: z.object({ rung, masked: z.int(), droppedGroups: z.int(), tokens }).optional(),
  }),
  RequestPartsChanged: z.object({
    systemPrompt: textChange.optional(),
    tools: textChange.optional(),
    fixedTokens: tokens.optional(),
    occupancyAfter: tokens.optional(),
    contributions: z.object({ digest: id, given: z.array(contribution) }).optional(),
    client: z
      .object({
        format: z.enum(WIRE_FORMATS),
        before: textChange.optional(),
        separator: z.string().optional(),
        after: textChange.optional(),
        forms: z.array(z.object({ messageId: id, form: messageForm.nullable() })).optional(),
        literal: z.object({ digest: id, text: z.string() }).nullable().optional(),
      })
      .optional(),
  }),
  RequestCounted: z.object({
    turn: z.int(),
    model: z.string(),
    counter: z.enum(['provider', 'estimate']),
    tokens,
    estimated: tokens,
    contributed: tokens,
    failure: z.enum(['timed-out', 'unreachable', 'refused', 'no-key']).optional(),
  }),
  RequestRefused: z.object({
    reason: z.enum(['compaction-required', 'compaction-in-flight', 'blocking']),
    turn: z.int(),
    state: budgetState,
    occupancy: tokens,
    threshold: tokens,
    window: tokens,
    waysOut: z.array(z.enum(['wait', 'compact', 'reset', 'less-context', 'override'])),
    contributions,
  }),
  OverflowReported: z.object({ turn: z.int(), tokens }),
  ContextOverflow: z.object({
    turn: z.int(),
    because: z.enum(['ladder-used-up', 'overflowed-again']),
    rung: z.union([rung, z.literal('none')]),
    tokens,
    budget: tokens.nullable(),
    parts: z.array(z.object({ part: id, tokens })),
  }),
  CompactionOverridden: z.object({ turn: z.int(), reason: z.string(), occupancy: tokens, threshold: tokens }),
};
