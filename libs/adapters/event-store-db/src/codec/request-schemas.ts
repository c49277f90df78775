import { WIRE_FORMATS } from '@app/domain';
import { z } from 'zod';

const tokens = z.int().min(0);
const id = z.string().min(1);
const contributions = z.array(z.object({ name: id, tokens })).optional();
export const rung = z.enum(['mask-outputs', 'drop-groups', 'newest-group']);
const budgetState = z.enum(['normal', 'warning', 'critical', 'blocking']);

/** What is known of a model's tokens. */
const kindSizes = z.object({ prose: tokens, code: tokens, data: tokens, wide: tokens, other: tokens });
export const calibration = z.object({
  model: z.string(),
  perThousand: z.int().min(1),
  kinds: kindSizes,
  overhead: tokens,
  samples: z.int().min(1),
  counted: tokens,
  reported: tokens,
  errorPerThousand: z.int().min(0),
  seen: kindSizes,
  moments: z.object({ matrix: z.array(z.number()), side: z.array(z.number()) }),
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
    occupancy: tokens,
    counted: tokens,
    window: tokens,
    state: budgetState,
    epoch: z.int(),
    stages: z.array(id),
    notes: z.array(z.object({ did: id, because: id.optional(), count: z.int() })),
    countedSaved: tokens.optional(),
    digest: id,
    contributions,
    failedProviders: z.array(id).optional(),
    ladder: z.object({ rung, masked: z.int(), droppedGroups: z.int(), tokens }).optional(),
  }),
  RequestCounted: z.object({
    turn: z.int(),
    model: z.string(),
    counter: z.enum(['provider', 'estimate']),
    tokens,
    estimated: tokens,
    contributed: tokens,
    failure: z.enum(['timed-out', 'unreachable', 'refused', 'no-key']).optional(),
    calibration: calibration.optional(),
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
