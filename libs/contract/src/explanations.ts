import { z } from 'zod';
import {
  attemptError,
  cancelledBy,
  cut,
  droppedOutput,
  explainedFidelity,
  forkSource,
  holdUntil,
  pivotKind,
  protectionYield,
  raisedTarget,
  skipReason,
  stageName,
  summarizerIdentity,
  thresholds,
  trigger,
  turnRetention,
} from './facts.js';
import { cost, usage } from './models.js';
import { profileMode } from './profiles.js';
import { actor, compactionId, erased, isoTime, messageId, revision, sessionId, tokens } from './scalars.js';
import type { Shape } from './shape.js';

const standing = z
  .union([
    z.object({ is: z.literal('in-force') }),
    z.object({ is: z.literal('superseded'), by: compactionId, kind: pivotKind }),
    z.object({
      is: z.literal('reverted'),
      reason: z.string(),
      restored: compactionId.nullable(),
      revision,
      at: isoTime,
    }),
    z
      .object({
        is: z.literal('erased'),
        erasure: erased.shape.erasure,
        restored: compactionId.nullable(),
        revision,
        at: isoTime,
      })
      .describe('The erasure of its summary, which returned the remaining messages to the context'),
  ])
  .meta({ id: 'Standing' });

const explainedOutcome = z
  .union([
    z.object({ status: z.enum(['deferred', 'waiting', 'running']) }),
    z.object({ status: z.literal('completed'), standing, revision, at: isoTime }),
    z.object({ status: z.literal('failed'), attempts: z.int(), error: attemptError, revision, at: isoTime }),
    z.object({
      status: z.literal('cancelled'),
      by: cancelledBy,
      reason: z.string(),
      revision,
      at: isoTime,
    }),
    z.object({ status: z.literal('skipped'), reason: skipReason, revision, at: isoTime }),
  ])
  .meta({ id: 'ExplainedOutcome' });

const wait = z
  .object({
    revision,
    at: isoTime,
    trigger,
    reason: z.string(),
    by: actor.describe('The source of the deferral'),
    until: holdUntil,
  })
  .meta({ id: 'Wait', description: 'A deferral of a due compaction' });

const whyNow = z
  .object({
    revision,
    at: isoTime,
    trigger,
    count: z
      .object({ by: z.enum(['messages', 'turns', 'tool-calls', 'minutes']), reached: z.int(), at: z.int() })
      .nullable()
      .describe('The count trigger that caused it: messages, turns, tool calls or minutes; `null` for none'),
    actor,
    profile: z.string(),
    mode: profileMode,
    withInstructions: z.boolean(),
    turn: z.int(),
    occupancy: tokens,
    window: tokens.describe('Tokens; 0 is unlimited and triggers nothing'),
    deferred: z.array(wait).describe('Earlier deferrals with end, actor and reason, oldest first'),
    thresholds: thresholds.nullable().describe('Tokens; `null` without a window'),
  })
  .meta({
    id: 'WhyNow',
    description: 'The cause of a compaction; for one that was never requested, why it was due',
  });

const protectedPart = z.object({ wanted: z.int(), kept: z.int().nullable() }).meta({ id: 'ProtectedPart' });

const whyCut = z
  .object({
    stages: z.array(stageName),
    cut,
    splitTurn: z.boolean(),
    carried: messageId.nullable().describe('The first message of the split turn, which is kept verbatim'),
    protectedTurns: protectedPart
      .nullable()
      .describe(
        'Protected turns, and how many of them are retained whole; `null` if the profile protects tokens',
      ),
    protectedTokens: protectedPart
      .nullable()
      .describe(
        'Protected tokens, and how many are retained after the cut; `null` if the profile protects turns',
      ),
    protection: protectionYield
      .nullable()
      .describe('Why the protected part is not retained whole; `null` if it is'),
    countedBefore: tokens,
    target: tokens,
    targetRaised: raisedTarget.nullable(),
    countedSummaryLimit: tokens.nullable(),
  })
  .meta({ id: 'WhyCut', description: 'The reason of the cut, as the start of the last attempt recorded it' });

const imported = z
  .object({
    format: z.string().describe('The format of the transcript, which names the agent'),
    trigger: z.enum(['automatic', 'manual']).exactOptional(),
    at: z.string().exactOptional().describe('Time by the agent’s clock'),
    tokensBefore: z.int().exactOptional().describe('Tokens as the agent counted them'),
    tokensAfter: z.int().exactOptional(),
    by: z.object({
      name: z.string(),
      model: z.string().exactOptional(),
      promptVersion: z.string(),
      deterministic: z.boolean(),
    }),
  })
  .meta({ id: 'Imported' });

const explainedAttempt = z
  .object({
    contextLines: z.int().describe('Number of context lines of hooks; the log holds their text'),
    revision,
    at: isoTime,
    attempt: z.int(),
    worker: z.string(),
    summarizer: summarizerIdentity,
    inputHash: z.string(),
    countedBefore: tokens,
    billedBefore: tokens,
    target: tokens,
    coveredMessages: z.int(),
    coveredTokens: tokens,
    outcome: z.enum(['completed', 'failed', 'running', 'given-up']),
    error: attemptError.nullable(),
    usage: usage.nullable(),
    cost: cost.nullable().describe('`null` if nothing was billed or no cost was recorded'),
    oversize: z
      .object({ tokens, countedLimit: tokens })
      .nullable()
      .describe('Sizes measured by verification, if one was the reason'),
    noGain: z.object({ countedBefore: tokens, countedAfter: tokens, countedLimit: tokens }).nullable(),
    reasoning: z
      .object({ marks: z.int(), blocks: z.int() })
      .nullable()
      .describe('References of the summary to reasoning: removed marks, and quoted covered blocks'),
    retryAt: isoTime.nullable().describe('Earliest time of the next attempt'),
  })
  .meta({ id: 'ExplainedAttempt' });

const quoteCheck = z.object({ checked: z.int(), unfounded: z.array(messageId.nullable()) }).meta({
  id: 'QuoteCheck',
  description:
    'The result of checking the quotes of a summary. An unfounded quote is listed by its message id, or `null` without one',
});

const verified = z
  .object({
    countedBefore: tokens,
    countedAfter: tokens,
    countedLimit: tokens.describe('Maximum allowed by the rules'),
    billedBefore: tokens,
    billedAfter: tokens,
    summaryTokens: tokens,
    durationMs: z.number(),
    warningCleared: z.boolean(),
    fidelity: explainedFidelity
      .nullable()
      .describe('Share of covered facts that can still be found; `null` if nothing was covered or measured'),
    quotes: quoteCheck
      .nullable()
      .describe('Result of checking the user’s quotes; `null` without a summary or a check'),
    truncated: z
      .object({ from: tokens, to: tokens })
      .nullable()
      .describe('Tokens of the framed summary before and after truncation; `null` if it was not truncated'),
  })
  .meta({ id: 'Verified', description: 'Measurements with which the result was accepted' });

const promptCache = z
  .object({
    kept: tokens.describe('Unchanged beginning of the request, tools and system prompt'),
    rewritten: tokens.describe('The rest of the first request afterwards, which the provider caches anew'),
    savedPerRequest: tokens.describe('Tokens that the compaction saves in each later request'),
    breakEvenRequests: z
      .int()
      .nullable()
      .describe(
        'Number of requests after which the savings exceed the cost of caching anew; `null` without known prices',
      ),
  })
  .meta({
    id: 'PromptCacheEffect',
    description: 'The effect on the provider’s prompt cache, in billed tokens of requests',
  });

const lost = z
  .object({
    names: z.array(
      z.object({
        name: z.string(),
        kind: z.enum(['identifiers', 'paths', 'errors', 'numbers']),
        messageId: messageId.describe('The last covered message that contained it'),
      }),
    ),
    directives: z.array(z.object({ messageId, sentence: z.string() })),
    unlisted: z.int(),
  })
  .meta({
    id: 'Lost',
    description:
      'Lost names, which are text of the session, most important first; `unlisted` counts the others',
  });

const covered = z
  .object({
    messages: z.int(),
    tokens,
    from: messageId,
    to: messageId,
    ids: z
      .array(messageId)
      .nullable()
      .describe('Oldest first; `null` if this version computes another range than the recorded one'),
  })
  .meta({
    id: 'Covered',
    description: 'Messages that the summary covers; `previous` names an earlier summary',
  });

const compactionExplanation = z
  .object({
    session: sessionId,
    compactionId,
    kind: z.literal('compaction'),
    outcome: explainedOutcome,
    why: whyNow,
    plan: whyCut.nullable(),
    imported: imported
      .nullable()
      .describe('Facts of the transcript, if the agent of an imported session made it; `null` otherwise'),
    turns: z.array(turnRetention),
    attempts: z.array(explainedAttempt),
    lateResults: z
      .array(
        z.object({ attempt: z.int(), worker: z.string(), usage: usage.nullable(), cost: cost.nullable() }),
      )
      .describe('Results that arrived after that of another worker: billed, but not applied'),
    besideProvider: z
      .array(
        z.object({
          revision,
          at: isoTime,
          compacted: z.boolean(),
          clearedToolUses: z.int(),
          clearedThinkingTurns: z.int(),
          clearedInputTokens: tokens.describe('Cleared tokens of the request, as the provider counted them'),
          usage: usage.nullable(),
          cost: cost.nullable(),
        }),
      )
      .describe(
        'The provider’s context edits in the turn in which the compaction came into force, with separate cost',
      ),
    verified: verified.nullable(),
    promptCache: promptCache.nullable().describe('`null` unless the compaction completed'),
    lost: lost.nullable().describe('`null` if nothing was covered or measured'),
    covered: covered.nullable(),
    previous: compactionId.nullable().describe('The earlier compaction whose summary was merged or kept'),
    droppedOutputs: z.array(droppedOutput),
  })
  .meta({ id: 'CompactionExplanation' });

const resetExplanation = z
  .object({
    session: sessionId,
    compactionId,
    revision,
    at: isoTime,
    kind: z.literal('reset'),
    standing,
    actor,
    reason: z.string(),
    turn: z.int(),
    countedBefore: tokens,
    countedAfter: tokens,
    billedBefore: tokens,
    billedAfter: tokens,
    cleared: z.object({ messages: z.int(), ids: z.array(messageId) }),
    carried: messageId.nullable(),
  })
  .meta({ id: 'ResetExplanation' });

const forkExplanation = z
  .object({
    session: sessionId,
    compactionId,
    revision,
    at: isoTime,
    kind: z.literal('fork'),
    standing,
    from: forkSource,
    summaryTokens: tokens,
  })
  .meta({ id: 'ForkExplanation' });

export const explanation = z
  .union([compactionExplanation, resetExplanation, forkExplanation])
  .meta({ id: 'Explanation' });

export type WhyNow = Shape<typeof whyNow>;
export type WhyCut = Shape<typeof whyCut>;
export type ExplainedAttempt = Shape<typeof explainedAttempt>;
export type ExplainedFidelity = Shape<typeof explainedFidelity>;
export type Verified = Shape<typeof verified>;
export type Lost = Shape<typeof lost>;
export type Covered = Shape<typeof covered>;
export type Standing = Shape<typeof standing>;
export type ExplainedOutcome = Shape<typeof explainedOutcome>;
export type CompactionExplanation = Shape<typeof compactionExplanation>;
export type ResetExplanation = Shape<typeof resetExplanation>;
export type ForkExplanation = Shape<typeof forkExplanation>;
export type Explanation = Shape<typeof explanation>;
