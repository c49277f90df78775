import { z } from 'zod';
import { partRule, pivotKind, retentionRule } from './facts.js';
import { block, erased, isoTime, messageId, revision, role, sessionId, tokens } from './scalars.js';
import type { Shape } from './shape.js';

const retentionColumn = z
  .object({
    compactionId: z.string(),
    kind: pivotKind,
    revision,
    at: isoTime,
    turn: z.int().describe('Turn in which it happened'),
    importedFrom: z
      .string()
      .nullable()
      .describe('Format of the transcript whose agent compacted; `null` for compactions of this service'),
    isReverted: z.boolean(),
    isInForce: z.boolean(),
  })
  .meta({ id: 'RetentionColumn', description: 'An event after which the context begins anew' });

const retentionRow = z
  .object({
    turn: z.int(),
    from: z.string().describe('Its first message'),
    to: z.string().describe('Its last message'),
    messages: z.int(),
    tokens: z.int().describe('Counted tokens of the messages as they were appended'),
    cells: z
      .array(z.object({ rule: retentionRule, toolOutputs: partRule, reasoning: partRule }).nullable())
      .describe('One state for each column; `null` where the column recorded none'),
  })
  .meta({ id: 'RetentionRow', description: 'The state of a turn at each column' });

export const retentionMap = z
  .object({
    session: sessionId,
    revision,
    turns: z.int().describe('The newest turn of the session'),
    from: z.int(),
    columns: z.array(retentionColumn).describe('Compactions, resets and forks, oldest first: the newest 200'),
    omittedColumns: z.int(),
    rows: z.array(retentionRow).describe('Rows in the order of turns'),
  })
  .meta({ id: 'RetentionMap' });

const listedMessage = z
  .object({
    id: messageId,
    revision,
    recordedAt: isoTime,
    role,
    synthetic: z.enum(['continuation', 'restated']).exactOptional(),
    countedTokens: tokens,
    content: z.array(block).describe('As it was appended'),
    erased: erased.exactOptional(),
  })
  .meta({ id: 'ListedMessage', description: 'An original message with its place in the log' });

export const messageWindow = z
  .object({
    revision: revision.describe('Newest revision of the session'),
    items: z.array(listedMessage).describe('Oldest first'),
    next: revision.nullable().describe('`from` of the next window; `null` at the end of the session'),
  })
  .meta({ id: 'MessageWindow' });

export type RetentionColumn = Shape<typeof retentionColumn>;
export type RetentionMap = Shape<typeof retentionMap>;
export type ListedMessage = Shape<typeof listedMessage>;
export type MessageWindow = Shape<typeof messageWindow>;
