import { STAGE_NAMES, TRIGGERS } from '@app/domain';
import { z } from 'zod';
import { messageId, pinId, revision, sessionId, share, tokens } from './scalars.js';
import type { Shape } from './shape.js';

export const fileOperations = z
  .object({
    read: z.array(z.string()),
    modified: z.array(z.string()),
    deleted: z.array(z.string()).exactOptional().describe('Absent without any'),
    renamed: z
      .array(z.object({ from: z.string(), to: z.string() }))
      .exactOptional()
      .describe('Absent without any'),
  })
  .meta({
    id: 'FileOperations',
    description:
      'Files that tool calls read and changed, oldest first; a file that was read and later changed is in `modified` only. Deleted and renamed files are in their own lists only; the target of a rename counts as changed',
  });

export const summarizerIdentity = z
  .object({
    name: z.string(),
    model: z.string().exactOptional(),
    promptVersion: z.string(),
    deterministic: z.boolean().describe('Whether the same input always gives the same output'),
  })
  .meta({
    id: 'SummarizerIdentity',
    description: 'Everything that determines a summarizer’s output, so that an auditor can compare two runs',
  });

export const pinKind = z.enum(['constraint', 'mandate', 'children', 'plan']).meta({
  id: 'PinKind',
  description: 'A constraint; the mandate of a child session; ids of running children; the current plan',
});

export const pin = z
  .object({
    pinId,
    kind: pinKind,
    text: z.string(),
    tokens: tokens.describe('Counted tokens of the text as requests carry it'),
  })
  .meta({ id: 'Pin', description: 'Content that no compaction touches, as it was pinned' });

export const sessionLimits = z
  .object({
    window: tokens.describe('The model’s context window; 0 is unlimited: nothing ever triggers'),
    windowSource: z
      .enum(['model', 'given', 'assumed'])
      .describe('`assumed` is the profile’s policy for unknown models'),
    maxOutput: tokens.exactOptional().describe('The model’s maximum output, if known'),
    inputLimit: tokens.exactOptional().describe('The model’s input limit, if smaller than the window'),
  })
  .meta({
    id: 'SessionLimits',
    description: 'The capacity of a session: the window, and its share for input',
  });

export const holdUntil = z.enum(['turn-end', 'released']).meta({
  id: 'HoldUntil',
  description: 'The end of a hold on automatic compactions: the end of the turn, or a release',
});

export const budgetState = z.enum(['normal', 'warning', 'critical', 'blocking']).meta({ id: 'BudgetState' });

export const protectionYield = z
  .object({
    by: z.enum(['turns', 'tokens']),
    wanted: z.int().describe('Protected turns or tokens'),
    kept: z.int(),
    countedUnreduced: tokens.describe(
      'The size of the context with all protected content, and the allowed maximum',
    ),
    countedLimit: tokens,
    reason: z.string(),
  })
  .meta({
    id: 'ProtectionYield',
    description:
      'The kept part of the protected content, if it cannot be kept in full. Sizes are counted tokens',
  });

export const reasoningPolicy = z.enum(['summarize', 'drop-when-compacted', 'drop-beyond-protected']).meta({
  id: 'ReasoningPolicy',
  description:
    'Handling of reasoning. `summarize`: requests carry it until its turn is compacted, and the summarizer reads it. `drop-when-compacted`: requests carry it until its turn is compacted, and no summarizer reads it. `drop-beyond-protected`: it leaves requests as soon as a compaction is due and its turn is not protected, and no summarizer reads it',
});

export const stageName = z
  .enum(STAGE_NAMES)
  .meta({ id: 'StageName', description: 'Names of stages; the profile lists the active ones in order' });

export const retentionRule = z
  .enum(['summarized', 'verbatim', 'split', 'snipped', 'collapsed', 'dropped'])
  .meta({
    id: 'RetentionRule',
    description:
      'The retention of a turn. `summarized`: replaced by a summary; `split`: its older part is. `snipped`: requests omit some of its messages; `collapsed`: replaced by a few lines in requests; `dropped`: the newest request omitted some of its messages on the ladder. `verbatim`: requests carry all of its messages',
  });

export const partRule = z
  .enum([
    'none',
    'summarized',
    'dropped',
    'verbatim',
    'offloaded',
    'cleared',
    'pruned',
    'masked',
    'cut',
    'snipped',
    'collapsed',
    'omitted',
    'cleared-by-provider',
  ])
  .meta({
    id: 'PartRule',
    description:
      'The retention of one kind of content in a turn: the rule with the highest loss of all its parts; `none` without such content. Tool outputs: `offloaded` leaves a preview; `cleared` (micro), `pruned` (prune), `dropped` (a compaction) and `masked` (the ladder, in the newest request) leave a line; `cut` (the ladder) leaves head and tail. Reasoning: `dropped` by the policy or the caller, permanently: no request and no summarizer has it. `omitted`: its provider would reject it, so that requests omit it; the log keeps it. `cleared-by-provider`: requests carry it, and the provider removed it from the newest one. `snipped`, `collapsed`: removed with its message',
  });

export const turnRetention = z
  .object({
    turn: z.int(),
    from: messageId,
    to: messageId,
    messages: z.int(),
    tokens: tokens.describe('Counted tokens, as they were appended'),
    rule: retentionRule,
    toolOutputs: partRule,
    reasoning: partRule,
  })
  .meta({ id: 'TurnRetention' });

const floorPart = z
  .object({ part: z.string(), tokens })
  .meta({ id: 'FloorPart', description: 'An irreducible part of the context' });

export const skipReason = z
  .union([
    z.object({
      rule: z.literal('nothing-to-drop'),
      messages: z.int(),
      counted: tokens.describe('Counted tokens of the next request'),
      occupancy: tokens,
    }),
    z.object({
      rule: z.literal('floor-too-high'),
      countedFloor: tokens,
      countedBudget: tokens,
      parts: z.array(floorPart),
    }),
    z.object({
      rule: z.literal('no-gain'),
      countedBefore: tokens,
      countedAfter: tokens,
      countedLimit: tokens,
    }),
    z.object({ rule: z.literal('protection-strict'), countedProtected: tokens, countedTarget: tokens }),
  ])
  .meta({ id: 'SkipReason' });

export const trigger = z.enum(TRIGGERS).meta({ id: 'Trigger' });

export const attemptError = z
  .object({
    rule: z.string().describe('The rule of verify that failed, or the class of the summarizer’s error'),
    detail: z.string().describe('Numbers and names, never content'),
    permanent: z
      .literal(true)
      .exactOptional()
      .describe('Set if a repeated attempt would fail the same way, so that none follows'),
  })
  .meta({ id: 'AttemptError' });

export const cut = z
  .object({ messageId, revision })
  .meta({ id: 'Cut', description: 'The first message that stays in full' });

const kept = z.object({ kept: z.int(), of: z.int() }).meta({
  id: 'Kept',
  description: 'Number of facts in the covered messages, and number of them that the context still contains',
});

export const explainedFidelity = z
  .object({
    score: share.describe('Share of the weight of all keys, 0 to 1; 1 without keys'),
    keys: z.int(),
    kinds: z
      .object({ identifiers: kept, paths: kept, errors: kept, numbers: kept })
      .nullable()
      .describe('By kind; `null` if not recorded'),
    missingKeys: z.int().nullable().describe('Number of missing keys; `null` if not recorded'),
    directives: kept
      .extend({
        missing: z.array(messageId).exactOptional().describe('Messages of lost directives, newest first'),
      })
      .describe('`missing` lists the messages of the lost directives, newest first'),
    missing: z.array(messageId).describe('Last messages of the most important missing keys'),
  })
  .meta({
    id: 'ExplainedFidelity',
    description: 'The fidelity with message IDs in place of the missing words',
  });

export const droppedOutput = z
  .object({
    messageId,
    callId: z.string(),
    freed: tokens,
    by: z.literal('prune').exactOptional().describe('Set by the prune stage; absent for a compaction'),
  })
  .meta({
    id: 'DroppedOutput',
    description: 'A call whose output is no longer sent; `freed` are the saved tokens',
  });

export const nativeProvider = z
  .string()
  .nullable()
  .describe(
    'Provider that compacted by itself: only it can read the encrypted summary; `null` for other compactions',
  );

export const raisedTarget = z
  .object({ from: tokens, reason: z.string() })
  .meta({ id: 'RaisedTarget', description: 'The target of the policy, and why a higher one applies' });

/** Source of a cancellation. */
export const cancelledBy = z
  .enum(['reset', 'revert', 'close', 'caller', 'hook', 'erasure'])
  .meta({ id: 'CancelledBy' });

export const pivotKind = z.enum(['compaction', 'reset', 'fork']).meta({ id: 'PivotKind' });

export const forkSource = z.object({ sessionId, revision }).meta({ id: 'ForkSource' });

export const messageRule = z.enum(['verbatim', 'snipped', 'collapsed', 'dropped']).meta({
  id: 'MessageRule',
  description:
    '`verbatim`, or why requests omit the message: `snipped`, `collapsed`, or `dropped` by the newest ladder rung',
});

export const thresholds = z
  .object({ warning: tokens, trigger: tokens, critical: tokens, blocking: tokens })
  .meta({
    id: 'Thresholds',
    description: 'Billed tokens at which states begin and compactions are requested',
  });

export type Thresholds = Shape<typeof thresholds>;
