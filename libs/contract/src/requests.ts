import { LADDER_POLICIES, LADDER_RUNGS, WIRE_FORMATS } from '@app/domain';
import { z } from 'zod';
import { budgetState, turnRetention } from './facts.js';
import { cost, usage } from './models.js';
import { block, compactionId, jsonObject, messageId, requestId, revision, role, tokens } from './scalars.js';
import type { Shape } from './shape.js';

export const wireFormat = z
  .enum(WIRE_FORMATS)
  .meta({ id: 'WireFormat', description: 'Provider format of a request' });

const reasoningOmission = z
  .enum(['unsigned', 'foreign-provider', 'bound-to-changed-prefix', 'nothing-follows'])
  .meta({ id: 'ReasoningOmission' });

const noteCount = z
  .object({
    action: z.enum(['answered-open-call', 'quoted-stray-block', 'renamed-call', 'omitted-reasoning']),
    reason: reasoningOmission.exactOptional(),
    count: z.int(),
  })
  .meta({
    id: 'NoteCount',
    description: 'Number of changes of one kind by composing; for omitted reasoning also the cause',
  });

const contributionSize = z.object({ name: z.string(), tokens }).meta({
  id: 'ContributionSize',
  description:
    'A contribution of a context provider or of the caller to one request: counted in it, and not part of the history',
});

const ladderRung = z.enum(LADDER_RUNGS).meta({
  id: 'LadderRung',
  description:
    'Omissions from a request that has to fit without a compaction; each rung includes the rungs before it',
});

export const ladderPolicy = z.enum(LADDER_POLICIES).meta({
  id: 'LadderPolicy',
  description:
    'Handling of a request that does not fit even after a compaction: `off` is an error; `on` omits tool outputs, then old messages, then parts of the newest results; `truncate` also shortens other messages, including the user’s',
});

export const ladderUse = z.object({ requests: z.int(), rung: ladderRung }).meta({
  id: 'LadderUse',
  description: 'Number of consecutive requests that needed the ladder, and the rung of the newest',
});

const truncatedMessage = z.object({ messageId, countedBefore: tokens, countedAfter: tokens }).meta({
  id: 'TruncatedMessage',
  description: 'A message of which a request holds the beginning and the end alone, in counted tokens',
});

const sizedMessage = z
  .object({ messageId, billedTokens: tokens })
  .meta({ id: 'SizedMessage', description: 'A message and its size in the next request, in billed tokens' });

export const remedy = z
  .union([
    z.object({ remedy: z.literal('wait'), billedAfter: tokens.exactOptional() }),
    z.object({ remedy: z.literal('compact'), billedAfter: tokens }),
    z.object({ remedy: z.literal('reset'), billedAfter: tokens }),
    z.object({ remedy: z.literal('reduce-context'), billedAfter: tokens }),
    z.object({ remedy: z.literal('override'), billedAfter: tokens, maxOutput: tokens }),
    z.object({ remedy: z.literal('shorten'), billedAfter: tokens }),
    z.object({ remedy: z.literal('truncate-message'), billedAfter: tokens, messageId, billedTokens: tokens }),
    z.object({ remedy: z.literal('use-larger-model'), window: tokens }),
  ])
  .meta({
    id: 'Remedy',
    description:
      'An action that makes the next request of a session fit; `billedAfter` is the maximum size of that request afterwards, in billed tokens',
  });

export const budgetBanner = z
  .object({
    state: budgetState,
    occupancy: tokens.describe('Billed tokens of the next request'),
    threshold: tokens.describe(
      'The occupancy at which the state begins; in the state `normal`, that of the next state',
    ),
    window: tokens,
    remedies: z
      .array(remedy)
      .describe('Actions that would lower the state, each with its effect in billed tokens'),
    ladder: ladderUse
      .nullable()
      .describe(
        'The uninterrupted series of newest requests that were shortened; `null` if the newest one was complete',
      ),
    duplicateCompaction: z
      .boolean()
      .describe(
        'Whether the provider compacts this session, too, so that its context differs from the engine’s',
      ),
  })
  .meta({
    id: 'BudgetBanner',
    description:
      'The budget state of a session for its user: occupancy, remedies, and notes on shortened requests and double compaction',
  });

const anthropicMessage = z
  .object({ role: z.enum(['user', 'assistant']), content: z.array(block) })
  .meta({ id: 'AnthropicMessage', description: 'A message of Anthropic’s API' });

const anthropicRequest = z
  .object({
    model: z.string(),
    max_tokens: z.int(),
    system: z.union([z.string(), z.array(jsonObject)]).exactOptional(),
    messages: z.array(anthropicMessage),
    tools: z.array(jsonObject).exactOptional(),
  })
  .meta({ id: 'AnthropicRequest', description: 'The body of `POST /v1/messages`' });

const openAiChatRequest = z
  .object({
    model: z.string(),
    messages: z.array(jsonObject),
    tools: z.array(jsonObject).exactOptional(),
    max_completion_tokens: z.int(),
  })
  .meta({ id: 'OpenAiChatRequest', description: 'The body of `POST /v1/chat/completions`' });

const openAiResponsesRequest = z
  .object({
    model: z.string(),
    instructions: z.string().exactOptional(),
    input: z.array(jsonObject),
    tools: z.array(jsonObject).exactOptional(),
    include: z.array(z.string()).exactOptional(),
    store: z.literal(false),
    max_output_tokens: z.int(),
  })
  .meta({
    id: 'OpenAiResponsesRequest',
    description:
      'The body of `POST /v1/responses`. The provider must not store it (`store: false`): the session holds the history',
  });

const refusalReason = z.enum(['blocking', 'compaction-required', 'compaction-in-flight']).meta({
  id: 'RefusalReason',
  description: 'Why a request is refused. The session can continue after any of them',
});

const wireNote = z
  .union([
    z.object({ action: z.literal('answered-open-call'), callId: z.string() }),
    z.object({ action: z.literal('quoted-stray-block'), messageId: z.string(), type: z.string() }),
    z.object({ action: z.literal('renamed-call'), callId: z.string(), to: z.string() }),
    z.object({ action: z.literal('omitted-reasoning'), messageId: z.string(), reason: reasoningOmission }),
  ])
  .meta({
    id: 'WireNote',
    description: 'Changes by composing: a function of the session, of which only counts are recorded',
  });

const violation = z.object({ rule: z.string(), at: z.int() }).meta({
  id: 'Violation',
  description: 'A rule of a provider that a request breaks, and the place of the message that breaks it',
});

const partDigests = z
  .object({
    systemPrompt: z.string(),
    tools: z.string().describe('Digest of the JSON of the tools'),
    contributions: z
      .string()
      .exactOptional()
      .describe('Digest of the contributions’ names and texts as JSON; absent without contributions'),
    client: z
      .string()
      .exactOptional()
      .describe('Digest of the gateway client’s request without its history; absent without a client'),
  })
  .meta({
    id: 'PartDigests',
    description:
      'SHA-256, hexadecimal, of the parts of a request that are not its history, as they were in force for it',
  });

const shortening = z
  .object({
    rung: ladderRung,
    masked: z.int(),
    droppedGroups: z.int(),
    truncated: z.array(truncatedMessage),
    tokens,
  })
  .meta({ id: 'Shortening', description: 'The lowest rung of a shortened request, and its omissions' });

const composedFacts = {
  requestId: requestId.describe('ID of the request, which its bill and reads of its body refer to'),
  format: wireFormat,
  revision: revision.describe('Revision of the session from which the request was composed, inclusive'),
  turn: z.int(),
  occupancy: tokens.describe('Billed tokens of the request: from usage, and estimated for unbilled content'),
  counted: tokens.describe('Counted tokens of the request before any rung of the ladder'),
  window: tokens,
  state: budgetState,
  epoch: z.int().describe('Number of completed compactions at that revision'),
  stages: z.array(z.string()).describe('Stages applied to the manifest, in order'),
  notes: z.array(noteCount).describe('Counts of changes by composing'),
  digest: z.string().describe('SHA-256 of the exact JSON body, hexadecimal'),
  parts: partDigests.describe('SHA-256, in hex, of the parts that are not history'),
  contributions: z
    .array(contributionSize)
    .exactOptional()
    .describe('Contributions to the request; absent without any'),
  failedProviders: z.array(z.string()).exactOptional().describe('Context providers that failed'),
  maxOutput: tokens.exactOptional().describe('The request’s output limit in tokens; absent without one'),
  ladder: shortening
    .exactOptional()
    .describe(
      'Set if no compaction could make room: the lowest rung, its omissions, and the billed tokens of the sent request',
    ),
  ladderOption: ladderPolicy
    .exactOptional()
    .describe('The caller’s ladder option for this request; absent for the profile’s'),
  outcome: z.literal('composed'),
  banner: budgetBanner.nullable().describe('`null` in the state `normal` without notes'),
};

export const composed = z
  .object({
    ...composedFacts,
    request: z.union([anthropicRequest, openAiChatRequest, openAiResponsesRequest]),
    body: z
      .string()
      .exactOptional()
      .describe(
        'The exact JSON text of `request`, which the digest covers; present if the options ask for it',
      ),
  })
  .meta({ id: 'Composed', description: 'A composed request' });

const referencePart = z
  .union([
    z.object({
      message: messageId.describe('A message of the session'),
      blocks: z.array(z.int()).exactOptional().describe('Indexes of its sent blocks; all blocks if absent'),
    }),
    z.object({
      content: z.array(block).describe('Blocks that were changed or erased, or that the service wrote'),
    }),
  ])
  .meta({ id: 'ReferencePart', description: 'A part of a composed message, by reference or written out' });

const messageInParts = z
  .object({ role, parts: z.array(referencePart) })
  .meta({ id: 'MessageInParts', description: 'A message of a composed request, in parts' });

const referencedMessage = z
  .union([messageId.describe('A message of the session as it is'), messageInParts])
  .meta({
    id: 'ReferencedMessage',
    description: 'A message of a composed request, by reference or in parts',
  });

export const composedByReference = z
  .object({
    ...composedFacts,
    answerRoom: tokens
      .exactOptional()
      .describe(
        'Tokens that are left for the answer, in which one longer than `maxOutput` may fit; absent in an unlimited window',
      ),
    messages: z
      .array(referencedMessage)
      .describe('The history of the request; system messages before the first turn come first'),
  })
  .meta({
    id: 'ComposedByReference',
    description:
      'A composed request in Anthropic’s form that refers to messages of the session instead of repeating them. System prompt and tools are those of the session',
  });

export const refused = z
  .object({
    reason: refusalReason,
    turn: z.int(),
    state: budgetState,
    occupancy: tokens,
    threshold: tokens,
    window: tokens,
    remedies: z.array(remedy).describe('Each would work now; the ones that lose least come first'),
    largest: sizedMessage.exactOptional().describe('The largest message of the request'),
    contributions: z
      .array(contributionSize)
      .exactOptional()
      .describe('Contributions to the request; absent without any'),
    outcome: z.literal('refused'),
  })
  .meta({ id: 'Refused', description: 'A refused request, with the remedies' });

export const editsReported = z
  .object({
    edited: z
      .object({
        clearedToolUses: z.int(),
        clearedThinkingTurns: z.int(),
        clearedInputTokens: tokens.describe('Cleared tokens of the request, as the provider counted them'),
        compaction: z
          .object({ usage: usage.exactOptional(), cost: cost.exactOptional() })
          .exactOptional()
          .describe('The provider’s own compaction, with its bill'),
        turn: z.int(),
        responseId: z
          .string()
          .exactOptional()
          .describe('The provider’s id of the reporting answer, if known: a repeated report is ignored'),
        reasoningClearedIn: z
          .array(z.int())
          .describe('Turns whose reasoning the model did not see, oldest first'),
      })
      .nullable()
      .describe('The newly reported edits; `null` if all were known'),
    duplicateCompaction: z
      .object({
        compactionId,
        attempt: z.int(),
        worker: z.string(),
        usage: usage.exactOptional(),
        cost: cost
          .exactOptional()
          .describe('Cost by the prices at that time; absent without usage, and in older events'),
        applied: z
          .object({ worker: z.string(), usage: usage.exactOptional(), cost: cost.exactOptional() })
          .exactOptional(),
      })
      .nullable()
      .describe('Costs of both compactions, if the provider has compacted this session, too'),
  })
  .meta({ id: 'EditsReported' });

export const overflowAnswer = z
  .union([
    z.object({ outcome: z.literal('compacted'), compactionId }),
    z.object({ outcome: z.literal('ladder') }),
    z.object({ outcome: z.literal('not-an-overflow') }),
  ])
  .meta({ id: 'OverflowAnswer' });

export const contextView = z
  .object({
    withheld: z
      .array(z.string())
      .exactOptional()
      .describe('Members that are left out, since the key may not read text: `request`'),
    format: wireFormat,
    request: z.union([anthropicRequest, openAiChatRequest, openAiResponsesRequest, jsonObject]),
    requestId: requestId.nullable().describe('ID of the requested request; `null` for other views'),
    digestMatches: z.boolean().nullable(),
    body: z.string().nullable().describe('Exact JSON text of the requested request; `null` for other views'),
    systemPrompt: z.string().describe('System prompt and tools in force'),
    tools: z.array(jsonObject),
    notes: z.array(wireNote),
    violations: z.array(violation),
    revision,
    tokens: tokens.describe('Billed tokens of the next request, as reported and estimated'),
    window: tokens,
    state: budgetState,
    pivot: z.string().nullable().describe('The compaction in force'),
    retainedFrom: messageId.nullable(),
    retention: z.array(turnRetention),
  })
  .meta({ id: 'ContextView' });

export type EditsReported = Shape<typeof editsReported>;
export type BudgetBanner = Shape<typeof budgetBanner>;
export type OverflowAnswer = Shape<typeof overflowAnswer>;
export type ContextView = Shape<typeof contextView>;
