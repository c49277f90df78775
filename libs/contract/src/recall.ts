import { z } from 'zod';
import { block, erased, isoTime, messageId, revision, role, sessionId, tokens } from './scalars.js';
import type { Shape } from './shape.js';

export const storedMessage = z
  .object({
    session: sessionId.describe('The session that contains it; may be the source of a fork'),
    id: messageId,
    revision,
    recordedAt: isoTime,
    role: role,
    model: z.string().exactOptional(),
    createdAt: isoTime.exactOptional(),
    synthetic: z
      .enum(['continuation', 'restated'])
      .exactOptional()
      .describe('Written by the engine to continue interrupted work, or kept by an imported compaction'),
    countedTokens: tokens.describe('Counted tokens of the whole message'),
    content: z.array(block).describe('All blocks, or the requested one'),
    erased: erased.exactOptional(),
    block: z.int().exactOptional().describe('Index of the requested block'),
    part: z
      .object({
        unit: z.enum(['bytes', 'lines']),
        from: z.int(),
        count: z.int(),
        of: z.int().describe('All bytes, or lines, of the text'),
        text: z.string(),
      })
      .exactOptional()
      .describe('Requested range of the block’s text; `content` is empty then'),
  })
  .meta({ id: 'StoredMessage', description: 'An original message' });

export const recalled = z
  .object({
    content: z.string(),
    isError: z
      .boolean()
      .describe('Whether the call failed; `content` then gives the reason and the valid arguments'),
    messages: z.array(messageId).describe('Messages in the answer'),
  })
  .meta({ id: 'Recalled', description: 'Result of a call of the recall tool' });

const textMatch = z
  .object({
    session: sessionId.describe('The session that contains it; may be the source of a fork'),
    message: messageId,
    revision,
    recordedAt: isoTime,
    role,
    block: z.int().describe('Index of the block in the message, from 0'),
    excerpt: z.string().describe('The first match in the block with the characters around it'),
  })
  .meta({ id: 'TextMatch', description: 'A block of an original message that contains the searched text' });

export const textMatches = z
  .object({
    matches: z.array(textMatch),
    searched: z.int().describe('Messages that this call has read'),
    before: messageId
      .nullable()
      .describe('Where the next call continues; `null` if the whole session was searched'),
  })
  .meta({ id: 'TextMatches', description: 'Matches, newest first' });

export type TextMatch = Shape<typeof textMatch>;
export type TextMatches = Shape<typeof textMatches>;
export type StoredMessage = Shape<typeof storedMessage>;
export type Recalled = Shape<typeof recalled>;
