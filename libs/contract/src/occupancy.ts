import { z } from 'zod';
import { nativeProvider, thresholds } from './facts.js';
import { eventType } from './names.js';
import { isoTime, revision, sessionId, share, tokens } from './scalars.js';
import type { Shape } from './shape.js';

const activeMs = z
  .int()
  .describe('Milliseconds of activity since the first event of the range; only with bins of time');

const idleTime = z
  .object({
    revision: revision.describe('Revision of the first event after it'),
    from: isoTime,
    to: isoTime,
    activeMs: z.int().describe('Milliseconds of activity before it'),
  })
  .meta({
    id: 'IdleTime',
    description: 'A pause between two events, which is left out of the time of activity',
  });

const occupancyPoint = z
  .object({
    revision: revision.describe('Newest revision of the bin that states an occupancy'),
    at: isoTime.describe('When it was recorded; over time: when it happened, by the `createdAt` of messages'),
    occupancy: z.int().describe('Billed tokens of the next request; the parts below add up to it'),
    min: z.int().describe('Smallest occupancy of the bin'),
    max: z.int().describe('Largest occupancy of the bin'),
    system: z.int().describe('System prompt and tools'),
    pinned: z.int(),
    summary: z.int(),
    tail: z.int().describe('Everything else: the messages'),
    window: z.int().describe('Tokens; 0 is unlimited'),
    activeMs: activeMs.exactOptional(),
  })
  .meta({
    id: 'OccupancyPoint',
    description: 'Occupancy at the end of a bin, in billed tokens',
  });

const occupancyMark = z
  .object({
    revision,
    at: isoTime,
    type: eventType,
    compactionId: z.string().nullable(),
    trigger: z.string().nullable(),
    profile: z.string().nullable(),
    importedFrom: z
      .string()
      .nullable()
      .describe('Format of the transcript whose agent compacted; `null` for compactions of this service'),
    native: nativeProvider,
    billedBefore: z.int().nullable(),
    billedAfter: z.int().nullable(),
    countedBefore: z.int().nullable(),
    countedAfter: z.int().nullable(),
    coveredMessages: z.int().nullable(),
    fidelity: share.nullable(),
    durationMs: z.number().nullable(),
    nanoUsd: z.number().nullable().describe('Billionths of a US dollar'),
    reason: z.string().nullable().describe('Given by a caller, or the rule that applied'),
    erasure: z.string().nullable().describe('The erasure, of `ContentErased`'),
  })
  .meta({
    id: 'OccupancyMark',
    description:
      'An event that stands out in a session’s occupancy; members that it does not state are `null`',
  });

export const occupancySeries = z
  .object({
    session: sessionId,
    revision,
    from: revision,
    to: revision,
    width: z.number().describe('Width of a bin in revisions, or in milliseconds of activity'),
    activity: z
      .object({
        activeMs: z.int(),
        idle: z.array(idleTime).describe('The longest 200, oldest first'),
      })
      .exactOptional()
      .describe('Only over time'),
    occupancy: tokens.describe('Billed tokens of the next request now'),
    window: tokens.describe('Tokens; 0 is unlimited'),
    thresholds: thresholds.nullable().describe('In force now; `null` without a window'),
    points: z.array(occupancyPoint).describe('Oldest first; bins without a stated occupancy are left out'),
    marks: z
      .array(occupancyMark)
      .describe('Compactions and other events that stand out: the newest 2,000 of the range'),
    omittedMarks: z.int(),
  })
  .meta({ id: 'OccupancySeries' });

export type OccupancyPoint = Shape<typeof occupancyPoint>;
export type OccupancySeries = Shape<typeof occupancySeries>;
export type OccupancyMark = Shape<typeof occupancyMark>;
