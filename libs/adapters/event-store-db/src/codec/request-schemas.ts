import { LADDER_POLICIES, LADDER_RUNGS, WIRE_FORMATS } from '@app/domain';
import { z } from 'zod';

const tokens = z.int().min(0);
const id = z.string().min(1);
const contributions = z.array(z.object({ name: id, tokens })).optional();
const rung = z.enum(LADDER_RUNGS);
export const ladderUse = z.object({ requests: z.int(), rung });
const truncated = z.array(z.object({ messageId: id, countedBefore: tokens, countedAfter: tokens }));
const largest = z.object({ messageId: id, billedTokens: tokens }).optional();
const leaving = <Name extends string>(name: Name) =>
  z.object({ remedy: z.literal(name), billedAfter: tokens });
const remedies = z.array(
  z.discriminatedUnion('remedy', [
    z.object({ remedy: z.literal('wait'), billedAfter: tokens.optional() }),
    leaving('compact'),
    leaving('reset'),
    leaving('less-context'),
    leaving('override').extend({ maxOutput: tokens }),
    leaving('shorten'),
    leaving('truncate-message').extend({ messageId: id, billedTokens: tokens }),
    z.object({ remedy: z.literal('larger-model'), window: tokens }),
  ]),
);
const budgetState = z.enum(['normal', 'warning', 'critical', 'blocking']);

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
    contributions,
    failedProviders: z.array(id).optional(),
    maxOutput: tokens.optional(),
    ladder: z.object({ rung, masked: z.int(), droppedGroups: z.int(), truncated, tokens }).optional(),
    ladderOption: z.enum(LADDER_POLICIES).optional(),
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
    remedies,
    largest,
    contributions,
  }),
  LadderEntered: z.object({ turn: z.int(), rung, occupancy: tokens, window: tokens }),
  LadderLeft: z.object({ turn: z.int(), requests: z.int() }),
  OverflowReported: z.object({ turn: z.int(), tokens, rung: rung.optional() }),
  ContextOverflow: z.object({
    turn: z.int(),
    because: z.enum(['ladder-used-up', 'overflowed-again', 'ladder-off']),
    rung: z.union([rung, z.literal('none')]),
    tokens,
    budget: tokens.nullable(),
    parts: z.array(z.object({ part: id, tokens })),
    largest,
    remedies,
  }),
  CompactionOverridden: z.object({ turn: z.int(), reason: z.string(), occupancy: tokens, threshold: tokens }),
};
