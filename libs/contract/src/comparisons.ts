import { LADDER_RUNGS } from '@app/domain';
import { z } from 'zod';
import { droppedOutput, forkSource, messageRule, partRule, pinKind, pivotKind } from './facts.js';
import {
  block,
  compactionId,
  erased,
  isoTime,
  messageId,
  pinId,
  revision,
  role,
  sessionId,
  tokens,
} from './scalars.js';
import type { Shape } from './shape.js';

const outputGone = z.object({ callId: z.string(), rule: partRule, droppedBy: compactionId.nullable() }).meta({
  id: 'OutputGone',
  description:
    'A tool output that requests contain reduced or not at all: the rule, and the compaction that dropped it, if this session’s log has it',
});

const messageStage = z
  .enum([
    'offload-results',
    'snip',
    'micro',
    'prune',
    'drop-tool-outputs',
    'collapse',
    'drop-reasoning',
    'compose',
    ...LADDER_RUNGS,
  ])
  .meta({
    id: 'MessageStage',
    description:
      'The rule that removed a part of a message: a stage of the profile, the reasoning policy, or a ladder rung',
  });

const reasoningPlace = z.object({ rule: partRule, isDisposable: z.boolean() }).meta({
  id: 'ReasoningPlace',
  description:
    'State of a message’s reasoning, and whether the caller has marked it as disposable after its turn',
});

const carriedMessage = z
  .object({
    rule: messageRule,
    toolOutputs: z.array(partRule).describe('Rules of its tool results in order; empty if all are verbatim'),
    reasoning: partRule,
    countedTokens: z.int(),
  })
  .meta({
    id: 'CarriedMessage',
    description: 'The part of a message that requests contain: counted tokens, and the rules that reduce it',
  });

const changedMessage = z
  .object({ id: messageId, revision, role, turn: z.int(), a: carriedMessage, b: carriedMessage })
  .meta({
    id: 'ChangedMessage',
    description: 'A message of both contexts of which one contains more than the other',
  });

const provenanceLink = z
  .object({
    compactionId,
    action: z.enum(['covered', 'cleared', 'folded', 'carried-on']),
    revision,
    at: isoTime,
    covered: z
      .object({ from: messageId, to: messageId, messages: z.int() })
      .nullable()
      .describe('Range of messages that it covered itself'),
    isInForce: z.boolean(),
  })
  .meta({
    id: 'ProvenanceLink',
    description:
      'The effect of a compaction or reset on a message, or on its summary. `covered`: its summary covers the message; `folded`: it merged the previous summary into its own; `carried-on`: it kept that summary; `cleared`: a reset, which has no summary',
  });

const diffedSummary = z
  .object({
    compactionId,
    kind: pivotKind,
    tokens,
    text: z
      .string()
      .nullable()
      .exactOptional()
      .describe('Only if requested; `null` after a reset, which has none'),
  })
  .meta({ id: 'DiffedSummary' });

const contextSide = z
  .object({
    revision,
    tokens,
    messages: z.int(),
    summary: diffedSummary
      .nullable()
      .describe('Summary at the start of the context; `null` without a compaction'),
  })
  .meta({ id: 'ContextSide' });

const diffedMessage = z
  .object({
    id: messageId,
    revision,
    role,
    turn: z.int(),
    tokens,
    content: z.array(block).exactOptional().describe('Only if requested'),
  })
  .meta({ id: 'DiffedMessage' });

const diffedPin = z
  .object({
    tokens: tokens.describe('Counted tokens of the text as requests carry it'),
    kind: pinKind,
    pinId,
  })
  .meta({ id: 'DiffedPin' });

const traced = z.object({
  session: sessionId,
  message: messageId,
  revision: revision.describe('Revision of the session that this describes'),
  synthetic: z
    .enum(['continuation', 'restated'])
    .exactOptional()
    .describe('Purpose of a message that the engine wrote in the user’s role'),
  erased: erased.exactOptional().describe('How its content was erased'),
});

export const provenance = z
  .union([
    traced.extend({
      status: z.enum(['in-full', 'in-part', 'omitted']),
      reason: z
        .enum(['system', 'carried', 'not-compacted', 'after-the-cut'])
        .describe('Why no compaction covers it'),
      appendedAt: revision,
      turn: z.int(),
      tokens: tokens.describe('Counted tokens of the original'),
      rule: messageRule,
      outputs: z.array(outputGone).describe('Reduced outputs of its calls, or in it'),
      reasoning: reasoningPlace,
      stages: z.array(messageStage).describe('Everything that removes a part of it'),
    }),
    traced.extend({
      status: z.enum(['covered', 'cleared']),
      appendedAt: revision,
      chain: z.array(provenanceLink),
      reasoning: reasoningPlace.describe('Whether the summarizer has read its reasoning'),
    }),
    traced.extend({ status: z.literal('withdrawn'), appendedAt: revision }),
    traced.extend({ status: z.literal('pinned'), kind: pinKind, tokens }),
    traced.extend({
      status: z.literal('unknown'),
      forkedFrom: forkSource.nullable().describe('Source of the fork, whose log may have the message'),
    }),
  ])
  .meta({ id: 'Provenance' });

export const contextDiff = z
  .object({
    a: contextSide,
    b: contextSide,
    summaryChanged: z.boolean(),
    messages: z.object({
      onlyInA: z.array(diffedMessage),
      onlyInB: z.array(diffedMessage),
      changed: z.array(changedMessage),
    }),
    droppedOutputs: z.object({ onlyInA: z.array(droppedOutput), onlyInB: z.array(droppedOutput) }),
    pins: z
      .object({ onlyInA: z.array(diffedPin), onlyInB: z.array(diffedPin) })
      .describe('A replaced pin is on both sides'),
  })
  .meta({ id: 'ContextDiff' });

export type DiffedMessage = Shape<typeof diffedMessage>;
export type CarriedMessage = Shape<typeof carriedMessage>;
export type ChangedMessage = Shape<typeof changedMessage>;
export type ContextSide = Shape<typeof contextSide>;
export type ContextDiff = Shape<typeof contextDiff>;
export type ProvenanceLink = Shape<typeof provenanceLink>;
export type OutputGone = Shape<typeof outputGone>;
export type MessageStage = Shape<typeof messageStage>;
export type ReasoningPlace = Shape<typeof reasoningPlace>;
export type Provenance = Shape<typeof provenance>;
