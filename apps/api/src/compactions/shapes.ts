import { z } from 'zod';

/** How a compaction ended. */
export const outcome = z.looseObject({
  outcome: z.enum(['completed', 'failed', 'skipped', 'cancelled']),
  compactionId: z.string().optional(),
});
