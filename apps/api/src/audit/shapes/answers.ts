import type { Role } from '@app/ports';
import { z } from 'zod';

/** Roles that may read the audit. */
export const READERS: readonly Role[] = ['auditor', 'operator', 'admin'];

const position = z.string().describe('In the whole log; rises, with gaps');
export const auditRow = z
  .looseObject({
    position,
    session: z.string().nullable().describe('`null` for a decision about the tenant itself'),
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
  })
  .meta({ id: 'AuditRow' });

export const auditRead = z
  .looseObject({
    position,
    recordedAt: z.string(),
    actor: z.string().describe('The reader'),
    kind: z.string().describe('`audit`: of facts; `content`: of text'),
    endpoint: z.string().describe('Such as `GET /v1/audit`, or `palimpsest export`'),
    session: z.string().nullable().describe('Whose text; `null` for facts, and for text of several sessions'),
    revisions: z
      .object({ from: z.int(), to: z.int() })
      .nullable()
      .describe('Of that session, both inclusive: nothing from outside of them was shown'),
    filters: z.record(z.string(), z.unknown()).describe('What it was narrowed to, as it was asked for'),
    rows: z.int().nullable().describe('That were given out; `null` for text'),
    reason: z.string().nullable().describe('Why, in the reader’s words'),
  })
  .meta({ id: 'AuditRead' });

const cost = z
  .object({
    nanoUsd: z.int().nullable().describe('Billionths of a US dollar; `null` where nothing of it has a price'),
    unpricedTokens: z.int().describe('Billed tokens that have no price, and are not in it'),
  })
  .meta({ id: 'Cost', description: 'By the prices in force when each bill came' });
export const compactionRow = z
  .looseObject({
    position,
    session: z.string(),
    compactionId: z.string(),
    trigger: z.string(),
    outcome: z.string().nullable().describe('`null` while it is open'),
    profile: z.string(),
    actor: z.string(),
    attempts: z.int(),
    reason: z.string().nullable(),
    turn: z.int(),
    worker: z.string().nullable(),
    summarizer: z.string().nullable(),
    model: z.string().nullable().describe('The model that wrote the summary'),
    promptVersion: z.string().nullable(),
    coveredMessages: z.int().nullable(),
    fidelity: z.number().min(0).max(1).nullable(),
    durationMs: z.int().nullable(),
    usage: z.object({
      inputTokens: z.int(),
      cacheReadTokens: z.int(),
      cacheWriteTokens: z.int(),
      outputTokens: z.int(),
    }),
    countedBefore: z.int().nullable(),
    countedAfter: z.int().nullable(),
    billedBefore: z.int().nullable(),
    billedAfter: z.int().nullable(),
    cost: cost.describe('Of all attempts'),
    requestedAt: z.string(),
    endedAt: z.string().nullable(),
  })
  .meta({ id: 'CompactionRecord' });

const billed = z
  .object({ input: z.int(), cacheRead: z.int(), cacheWrite: z.int(), output: z.int() })
  .meta({ id: 'BilledTokens' });
export const usage = z
  .object({
    calls: z.int().describe('Answers of models that agents reported'),
    tokens: billed,
    cost,
    compactions: z
      .object({
        tokens: billed.describe('Billed for compactions, failed and superfluous attempts included'),
        cost,
        requests: z.int().describe('Requests that were composed'),
        smallerRequests: z.int().describe('Of them, those that were smaller because of compactions'),
        countedSaved: z.int().describe('Counted tokens by which these were smaller, over all of them'),
        doubleRuns: z.object({ runs: z.int(), cost: cost.describe('A part of `cost`') }),
        completed: z.int(),
        failed: z.int(),
        skipped: z.int(),
        cancelled: z.int(),
        reverted: z.int(),
      })
      .meta({ id: 'CompactionTotals' }),
  })
  .meta({ id: 'UsageSum' });
