import { z } from 'zod';
import { budgetState } from './facts.js';
import { transcriptFormat } from './names.js';
import { budgetBanner } from './requests.js';
import { compactionId, requestId, revision, sessionId, tokens } from './scalars.js';
import type { Shape } from './shape.js';

const importedSession = z
  .object({
    session: sessionId,
    format: transcriptFormat,
    messages: z.int(),
    turns: z.int(),
    toolCalls: z.int(),
    tokens: z.int().describe('Counted tokens of all messages ever appended'),
    compactions: z.int(),
  })
  .meta({
    id: 'ImportedSession',
    description: 'A session after its import, with counts of the whole session',
  });

const skippedLine = z.object({ line: z.int(), reason: z.string() }).meta({ id: 'SkippedLine' });

export const conversationAppended = z
  .object({
    appended: z.int(),
    known: z.int().describe('Number of messages that the session already ended with'),
    messages: z.int(),
    turn: z.int(),
    occupancy: tokens,
    window: tokens,
    state: budgetState,
    compactionId: compactionId
      .nullable()
      .describe('The requested or running compaction, for which the next request should wait'),
    banner: budgetBanner
      .nullable()
      .describe('Banner to show with the session; `null` in the state `normal` without notes'),
  })
  .meta({ id: 'ConversationAppended' });

export const usageTaken = z
  .object({
    recorded: z.boolean().describe('`false` for a second bill of the same request, which is not recorded'),
    requestId: requestId.nullable().describe('The billed request; `null` if the session knows none'),
    countsFor: z
      .enum(['occupancy', 'cost'])
      .nullable()
      .describe(
        '`occupancy` if the bill updates the size of the context, `cost` if it counts for cost alone, `null` if not recorded',
      ),
    occupancy: tokens.describe('Billed tokens of the next request'),
    window: tokens,
    state: budgetState,
  })
  .meta({ id: 'UsageTaken' });

export const completedTurn = z
  .object({
    revision: revision.exactOptional(),
    turn: z.int(),
    completed: z.boolean().describe('`false` if no turn was in progress'),
    compactionId: compactionId.exactOptional().describe('The deferred compaction that is requested now'),
  })
  .meta({ id: 'CompletedTurn' });

export const importResult = z
  .object({
    sessions: z.array(importedSession),
    skipped: z.array(skippedLine).describe('The first unusable lines, at most 1,000'),
    skippedLines: z.int().describe('Number of all unusable lines'),
  })
  .meta({ id: 'ImportResult' });

export type ConversationAppended = Shape<typeof conversationAppended>;
export type CompletedTurn = Shape<typeof completedTurn>;
export type ImportedSession = Shape<typeof importedSession>;
export type SkippedLine = Shape<typeof skippedLine>;
export type ImportResult = Shape<typeof importResult>;
export type UsageTaken = Shape<typeof usageTaken>;
