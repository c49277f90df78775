import { z } from 'zod';
import {
  attemptError,
  budgetState,
  cancelledBy,
  cut,
  explainedFidelity,
  fileOperations,
  nativeProvider,
  protectionYield,
  raisedTarget,
  skipReason,
  stageName,
  summarizerIdentity,
  trigger,
  turnRetention,
} from './facts.js';
import { cost, usage } from './models.js';
import { compactionId, isoTime, messageId, share, tokens } from './scalars.js';
import type { Shape } from './shape.js';

const planSizes = z
  .object({
    cut,
    stages: z.array(stageName).describe('The stages that will run'),
    countedBefore: tokens.describe('Counted tokens of the next request'),
    countedSummaryLimit: tokens.describe('Maximum length of a worthwhile summary, in counted tokens'),
    splitTurn: z.boolean(),
    covered: z.object({ messages: z.int(), tokens }),
    retained: z.int(),
    droppedOutputs: z.object({ outputs: z.int(), freed: tokens }),
    countedAfterMax: tokens.describe('Maximum of counted tokens after the compaction'),
    billedBefore: tokens,
    billedAfterMax: tokens,
    turns: z
      .object({
        summarized: z.int(),
        verbatim: z.int(),
        split: z.int(),
        snipped: z.int(),
        collapsed: z.int(),
        dropped: z.int(),
      })
      .describe('Number of turns by rule'),
  })
  .meta({ id: 'PlanSizes', description: 'Sizes of a plan, for comparisons' });

const listPrice = z.int().nullable().meta({
  description:
    'Billionths of a US dollar, by the prices of the session’s model now and without its prompt cache; `null` without a price',
});

const trialResult = z
  .union([
    z.object({
      countedAfter: tokens,
      billedAfter: tokens,
      summaryTokens: tokens,
      fidelity: explainedFidelity.nullable(),
      requestNanoUsd: listPrice.describe('Price of the input of the next request after the compaction'),
      summaryNanoUsd: listPrice.describe(
        'Maximum price of a summary by the session’s model: it reads all covered messages and writes the longest summary; 0 without a summary',
      ),
    }),
    z.object({ refused: z.string() }),
  ])
  .meta({
    id: 'TrialResult',
    description:
      'Result of a trial run without a model, which records nothing; `refused` names the violated rule',
  });

const whatIfOutcome = z
  .union([
    z.object({
      profile: z.string(),
      isOwn: z.boolean().describe('Whether it is the session’s own profile with all overrides'),
      plan: planSizes,
      trial: trialResult,
    }),
    z.object({
      profile: z.string(),
      isOwn: z.boolean().describe('Whether it is the session’s own profile with all overrides'),
      plan: z.null(),
      reason: skipReason,
    }),
  ])
  .meta({ id: 'WhatIfOutcome' });

export const requestedCompaction = z
  .union([
    z.object({ status: z.literal('deferred'), compactionId }),
    z.object({ status: z.enum(['requested', 'joined']), compactionId }),
    z.object({ status: z.literal('skipped'), compactionId, reason: skipReason }),
  ])
  .meta({ id: 'RequestedCompaction' });

export const reverted = z
  .object({
    compactionId,
    restored: compactionId.nullable().describe('The compaction that is in force again; `null` without one'),
    reason: z.string(),
    countedBefore: tokens.describe('Counted tokens of the next request'),
    countedAfter: tokens,
    billedBefore: tokens,
    billedAfter: tokens,
    messagesBefore: z
      .int()
      .describe(
        'Number of messages before the restored context; `carried` is the one of them that it contains, `compactions` the number of its compactions',
      ),
    carried: messageId.nullable(),
    compactions: z.int(),
  })
  .meta({ id: 'Reverted' });

export const compactionOutcome = z
  .union([
    z.object({
      outcome: z.literal('completed'),
      compactionId,
      trigger,
      attempts: z.int(),
      countedBefore: tokens,
      countedAfter: tokens,
      billedBefore: tokens,
      billedAfter: tokens,
      target: tokens,
      targetRaised: raisedTarget.nullable(),
      protection: protectionYield
        .nullable()
        .describe('Why the protected part is not retained whole; `null` if it is'),
      summarizer: summarizerIdentity.describe(
        'The summarizer; `deterministic` tells whether it returns the same summary for the same input',
      ),
      usage: usage
        .nullable()
        .describe('Usage of the attempt whose result is in force; `null` if nothing was billed'),
      cost: cost.nullable(),
      durationMs: z.number(),
      retainedFrom: messageId.nullable().describe('The first message that stays in full; `null` without one'),
      coveredMessages: z.int(),
      fileOperations,
      fidelity: z.object({ score: share, keys: z.int(), missingKeys: z.int().nullable() }).nullable(),
      retention: z.array(turnRetention),
      summary: z.string().nullable(),
      native: nativeProvider,
    }),
    z.object({ compactionId, attempts: z.int(), error: attemptError, outcome: z.literal('failed') }),
    z.object({
      compactionId: compactionId.exactOptional(),
      trigger,
      reason: skipReason,
      outcome: z.literal('skipped'),
    }),
    z.object({
      compactionId,
      by: cancelledBy,
      reason: z.string(),
      outcome: z.literal('cancelled'),
    }),
  ])
  .meta({ id: 'CompactionOutcome' });

export const plannedCompaction = z
  .union([
    z.object({
      plan: z.object({
        countedSummaryLimit: tokens,
        retention: z.array(turnRetention),
        protection: protectionYield.exactOptional(),
        targetRaised: raisedTarget.exactOptional(),
        profile: z.string(),
        stages: z.array(stageName),
        cut,
        splitTurn: z.boolean(),
        covered: z.object({ messages: z.int(), from: messageId.nullable(), to: messageId.nullable() }),
        retained: z.int(),
        droppedOutputs: z.int(),
        countedBefore: tokens,
        billedBefore: tokens,
        billedTarget: tokens,
        target: tokens,
      }),
    }),
    z.object({ plan: z.null(), reason: skipReason }),
  ])
  .meta({
    id: 'PlanView',
    description: 'The public form of a plan: sizes and IDs, no content; `reason` replaces a missing plan',
  });

export const whatIfView = z
  .object({
    tokens,
    window: tokens,
    state: budgetState,
    requestNanoUsd: listPrice.describe('Price of the input of the next request without a compaction'),
    inFlight: compactionId
      .nullable()
      .describe('Requested or running compaction, which a new request would join'),
    outcomes: z.array(whatIfOutcome),
  })
  .meta({ id: 'WhatIfView' });

/** Columns of a compaction with its sizes and its fidelity, each `null` until it is known. */
export const measured = {
  countedBefore: z.int().nullable(),
  countedAfter: z.int().nullable(),
  billedBefore: z.int().nullable(),
  billedAfter: z.int().nullable(),
  coveredMessages: z.int().nullable(),
  fidelity: share
    .nullable()
    .describe(
      'Share of the covered facts that the context still contains, 0 to 1; `null` without a measurement',
    ),
};

export const compactionSummary = z
  .object({
    compactionId,
    trigger: z.string(),
    turn: z.int(),
    profile: z.string(),
    actor: z.string().describe('The actor that requested it'),
    attempts: z.int(),
    outcome: z.string().nullable().describe('`null` for an open compaction'),
    reason: z.string().nullable().describe('The rule that skipped it, or the error with which it failed'),
    ...measured,
    summarizer: z.string().nullable(),
    requestedAt: isoTime,
    endedAt: isoTime.nullable(),
  })
  .meta({
    id: 'CompactionSummary',
    description: 'A compaction as of its newest projected event',
  });

export type PlanSizes = Shape<typeof planSizes>;
export type TrialResult = Shape<typeof trialResult>;
export type WhatIfOutcome = Shape<typeof whatIfOutcome>;
export type WhatIfView = Shape<typeof whatIfView>;
export type PlanView = Shape<typeof plannedCompaction>;
export type RequestedCompaction = Shape<typeof requestedCompaction>;
