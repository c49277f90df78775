import type { Role } from '@app/ports';
import { z } from 'zod';

/** Who may look at what happened in a tenant. */
export const READERS: readonly Role[] = ['auditor', 'operator', 'admin'];

const position = z.string().describe('In the whole log; rises, with gaps');
export const auditRow = z.looseObject({
  position,
  session: z.string(),
  revision: z.int(),
  type: z.string(),
  recordedAt: z.string(),
  actor: z.string(),
  correlationId: z.string(),
  compactionId: z.string().nullable(),
  trigger: z.string().nullable(),
  outcome: z.string().nullable(),
  profile: z.string().nullable(),
  model: z.string().nullable(),
  payload: z.record(z.string(), z.unknown()),
});

export const auditRead = z.looseObject({
  position,
  recordedAt: z.string(),
  actor: z.string().describe('Who looked'),
  endpoint: z.string().describe('At what'),
  filters: z.record(z.string(), z.unknown()).describe('What it was narrowed to, as it was asked for'),
  rows: z.int().describe('That were found'),
});

const cost = z
  .object({
    nanoUsd: z.int().nullable().describe('Billionths of a US dollar; `null` where nothing of it has a price'),
    unpricedTokens: z.int().describe('Billed tokens that have no price, and are not in it'),
  })
  .describe('By the prices in force when each bill came');
export const compactionRow = z.looseObject({
  position,
  session: z.string(),
  compactionId: z.string(),
  trigger: z.string(),
  outcome: z.string().nullable().describe('`null` while it is open'),
  profile: z.string(),
  actor: z.string(),
  attempts: z.int(),
  countedBefore: z.int().nullable(),
  countedAfter: z.int().nullable(),
  billedBefore: z.int().nullable(),
  billedAfter: z.int().nullable(),
  cost: cost.describe('Of all attempts'),
  requestedAt: z.string(),
  endedAt: z.string().nullable(),
});

const billed = z.object({ input: z.int(), cacheRead: z.int(), cacheWrite: z.int(), output: z.int() });
export const usage = z.object({
  calls: z.int().describe('Answers of models that agents reported'),
  tokens: billed,
  cost,
  compactions: z.object({
    tokens: billed.describe('Billed for compactions, failed and superfluous attempts included'),
    cost,
    savedTokens: z.int().describe('Occupancy before minus after, of completed compactions'),
    completed: z.int(),
    failed: z.int(),
    skipped: z.int(),
    cancelled: z.int(),
    reverted: z.int(),
  }),
});
