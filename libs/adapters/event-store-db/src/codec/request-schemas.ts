import { LADDER_POLICIES, LADDER_RUNGS, WIRE_FORMATS } from '@app/domain';
import { hasFiniteNumbers, isJsonObject, type JsonObject } from '@app/kernel';
import { z } from 'zod';
import { id, ofSubjects, subjects, tokens } from './values.js';

/** External objects, unchanged. */
export const jsonObject = z
  .custom<JsonObject>((value) => isJsonObject(value) && hasFiniteNumbers(value))
  .meta({ type: 'object' });
const contributions = z.array(z.object({ name: id, tokens })).optional();
export const rung = z.enum(LADDER_RUNGS);
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
    leaving('reduce-context'),
    leaving('override').extend({ maxOutput: tokens }),
    leaving('shorten'),
    leaving('truncate-message').extend({ messageId: id, billedTokens: tokens }),
    z.object({ remedy: z.literal('use-larger-model'), window: tokens }),
  ]),
);
const budgetState = z.enum(['normal', 'warning', 'critical', 'blocking']);

const contribution = z.object({ name: id, text: z.string() });
const textChange = z.object({
  digest: id,
  text: z.string(),
  keptStart: z.int().min(0).optional(),
  keptEnd: z.int().min(0).optional(),
});
const messageForm = z.array(z.array(z.union([z.string(), z.int()])));

/** Schema of the request parts in an opening state. */
export const openingParts = z.object({
  ...ofSubjects,
  historySubjects: subjects.optional(),
  systemPrompt: z.string().optional(),
  tools: z.array(jsonObject).optional(),
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

const traitsOf = <Each extends z.ZodType>(each: Each) =>
  z.object({
    tokens: each,
    words: each,
    letters: each,
    digits: each,
    marks: each,
    wide: each,
    blocks: each,
  });
/** Calibration of a model's tokens. */
export const calibration = z.object({
  model: z.string(),
  perThousand: z.int().min(1),
  weights: traitsOf(z.int()),
  overhead: tokens,
  samples: z.int().min(1),
  counted: tokens,
  reported: tokens,
  errorPerThousand: z.int().min(0),
  seen: traitsOf(tokens),
  moments: z.object({ matrix: z.array(z.number()), side: z.array(z.number()) }),
});
export const until = z.enum(['turn-end', 'released']);
export const hold = z.object({ ...ofSubjects, until, by: id, reason: z.string(), turn: z.int() });

/** Schemas of events about holds. */
export const HOLD_SCHEMAS = {
  CompactionsHeld: hold,
  CompactionsReleased: z.object({ ...ofSubjects, by: id, reason: z.string() }),
};

/** Schemas of events about requests. */
export const REQUEST_SCHEMAS = {
  RequestComposed: z.object({
    ...ofSubjects,
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
    notes: z.array(z.object({ action: id, reason: id.optional(), count: z.int() })),
    countedSaved: tokens.optional(),
    omittedTokens: z.int().optional(),
    digest: id,
    parts: z.object({ systemPrompt: id, tools: id, contributions: id.optional(), client: id.optional() }),
    contributions,
    failedProviders: z.array(id).optional(),
    maxOutput: tokens.optional(),
    ladder: z.object({ rung, masked: z.int(), droppedGroups: z.int(), truncated, tokens }).optional(),
    ladderOption: z.enum(LADDER_POLICIES).optional(),
  }),
  RequestPartsChanged: z.object({
    ...ofSubjects,
    historySubjects: subjects.optional(),
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
    omittedTokens: z.int().optional(),
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
    remedies,
    largest,
    contributions,
  }),
  LadderEntered: z.object({ turn: z.int(), rung, occupancy: tokens, window: tokens }),
  LadderExited: z.object({ turn: z.int(), requests: z.int() }),
  OverflowReported: z.object({ turn: z.int(), tokens, rung: rung.optional() }),
  ContextOverflowed: z.object({
    turn: z.int(),
    reason: z.enum(['ladder-exhausted', 'repeated-overflow', 'ladder-disabled']),
    rung: z.union([rung, z.literal('none')]),
    tokens,
    budget: tokens.nullable(),
    parts: z.array(z.object({ part: id, tokens })),
    largest,
    remedies,
  }),
  CompactionOverridden: z.object({
    ...ofSubjects,
    turn: z.int(),
    reason: z.string(),
    occupancy: tokens,
    threshold: tokens,
  }),
};
