import { z } from 'zod';
import { turnRetention } from '../sessions/shapes.js';

/** How a compaction ended. */
export const outcome = z
  .looseObject({
    outcome: z.enum(['completed', 'failed', 'skipped', 'cancelled']),
    compactionId: z.string().optional(),
    trigger: z.string().optional(),
    attempts: z.int().optional(),
    countedBefore: z.int().optional(),
    countedAfter: z.int().optional(),
    billedBefore: z.int().optional(),
    billedAfter: z.int().optional(),
    summary: z.string().nullish().describe('The summary; `null` where the compaction wrote none'),
    durationMs: z.int().optional(),
    coveredMessages: z.int().optional(),
    retainedFrom: z.string().nullish().describe('The first message behind the cut'),
    retention: z.array(turnRetention).optional(),
  })
  .meta({ id: 'CompactionOutcome' });

/** A plan: its cut, stages and sizes. */
export const plan = z
  .looseObject({
    stages: z.array(z.string()),
    cut: z.unknown(),
    countedBefore: z.int(),
    splitTurn: z.boolean(),
  })
  .meta({ id: 'CompactionPlan' });
