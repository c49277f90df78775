import { z } from 'zod';
import { measured } from './compactions.js';
import { trigger } from './facts.js';
import { auditEventType } from './names.js';
import { isoTime, sessionId } from './scalars.js';

export const compactionEnd = z
  .enum(['completed', 'failed', 'skipped', 'cancelled', 'reverted'])
  .meta({ id: 'CompactionEnd', description: 'The outcome of a compaction' });

export const auditRow = z
  .object({
    position: z
      .string()
      .describe('Position in the whole log; a string, since it may exceed the numbers of JSON'),
    session: sessionId.nullable().describe('`null` for a decision about the tenant itself'),
    revision: z.int().describe('Revision in the stream of the session, or of the tenant’s decisions'),
    type: auditEventType,
    recordedAt: isoTime,
    actor: z.string(),
    correlationId: z.string(),
    compactionId: z.string().nullable(),
    trigger: trigger.nullable().describe('The trigger of the compaction that the event belongs to'),
    outcome: compactionEnd
      .nullable()
      .describe(
        'The outcome of the compaction by this event; `null` if the event neither ends nor undoes one',
      ),
    profile: z
      .string()
      .nullable()
      .describe('The profile of the event or its compaction, else of the session at that time'),
    model: z.string().nullable(),
    payload: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'AuditRow', description: 'One audited event, without message content' });

const readKind = z.enum(['audit', 'content']).meta({
  id: 'ReadKind',
  description: '`audit`: facts without text; `content`: text that people and models wrote',
});

export const auditReadRow = z
  .object({
    position: z.string(),
    recordedAt: isoTime,
    actor: z.string(),
    kind: readKind,
    endpoint: z.string().describe('Such as `GET /v1/audit`, or `palimpsest export`'),
    session: sessionId
      .nullable()
      .describe('The session whose text was read; `null` for facts, and for text of several sessions'),
    revisions: z
      .object({ from: z.int().describe('First revision'), to: z.int().describe('Last revision, inclusive') })
      .meta({ id: 'RevisionRange' })
      .nullable()
      .describe('Range of revisions of that session from which the answer comes'),
    filters: z
      .record(z.string(), z.unknown())
      .describe(
        'Filters of the request; users, customers, projects, label values and lost names as fingerprints by a key of the tenant',
      ),
    rows: z.int().nullable().describe('Number of returned rows; `null` for text'),
    reason: z.string().nullable().describe('The reason that the reader gave'),
  })
  .meta({ id: 'AuditReadRow', description: 'A read of audit rows or of text by a caller' });

export const auditTotals = z
  .object({
    events: z.int().describe('Number of all matching rows, including those of unlisted groups'),
    groups: z
      .array(z.object({ key: z.string().nullable(), events: z.int() }))
      .describe('Days in order, other groups by number of rows, the largest first; at most 1,000'),
    omittedGroups: z.int().describe('Groups that are not listed; their rows are in `events`'),
  })
  .meta({ id: 'AuditTotals' });

export const costTotal = z
  .object({
    nanoUsd: z.int().nullable().describe('Billionths of a US dollar; `null` if no usage has a price'),
    unpricedTokens: z.int().describe('Billed tokens without a price, which `nanoUsd` does not include'),
  })
  .meta({ id: 'CostTotal', description: 'US dollars, by the prices in force at the time of each bill' });

export const compactionRecord = z
  .object({
    position: z.string().describe('Position of its request in the log'),
    session: sessionId,
    compactionId: z.string(),
    trigger,
    outcome: compactionEnd.nullable().describe('`null` for an open compaction'),
    reason: z.string().nullable().describe('The rule that skipped it, or the error of its newest attempt'),
    profile: z.string(),
    actor: z.string().describe('The actor that requested it'),
    turn: z.int(),
    attempts: z.int(),
    worker: z.string().nullable(),
    summarizer: z.string().nullable(),
    model: z.string().nullable(),
    promptVersion: z.string().nullable(),
    ...measured,
    durationMs: z.number().nullable(),
    usage: z
      .object({
        inputTokens: z.int(),
        cacheReadTokens: z.int(),
        cacheWriteTokens: z.int(),
        outputTokens: z.int(),
      })
      .describe('Usage of all attempts'),
    cost: costTotal.describe('Cost of all attempts'),
    requestedAt: isoTime,
    endedAt: isoTime.nullable(),
  })
  .meta({ id: 'CompactionRecord', description: 'A compaction from its request to its end' });

const billedTokens = z
  .object({ input: z.int(), cacheRead: z.int(), cacheWrite: z.int(), output: z.int() })
  .meta({ id: 'BilledTokens', description: 'Billed tokens by kind' });

const usageSum = z
  .object({
    calls: z.int().describe('Number of model answers that agents reported'),
    tokens: billedTokens,
    cost: costTotal,
    compactions: z
      .object({
        tokens: billedTokens,
        cost: costTotal,
        requests: z
          .int()
          .describe('Number of composed requests. Compactions made `smallerRequests` of them smaller'),
        smallerRequests: z.int(),
        countedSaved: z.int().describe('Sum of the counted tokens by which compactions made them smaller'),
        doubleRuns: z
          .object({ runs: z.int(), cost: costTotal })
          .describe(
            'Results that were discarded because another worker had completed the compaction; `cost` includes theirs',
          ),
        completed: z.int(),
        failed: z.int(),
        skipped: z.int(),
        cancelled: z.int(),
        reverted: z.int(),
      })
      .meta({ id: 'CompactionTotals' }),
  })
  .meta({
    id: 'UsageSum',
    description: 'Usage of models, and the cost and savings of compactions',
  });

const usageSource = z.enum(['live', 'import']).meta({
  id: 'UsageSource',
  description:
    '`live`: recorded as it happened, on the day of recording. `import`: from a transcript, on the day in the transcript, else on the day of the import',
});

export const usageTotals = z
  .object({
    total: usageSum.describe('Both sources together, and each of them'),
    live: usageSum,
    import: usageSum,
    groups: z
      .array(
        usageSum
          .extend({
            key: z.string().nullable().describe('`null` for sessions without that metadata'),
            source: usageSource,
          })
          .meta({ id: 'UsageGroupSum' }),
      )
      .describe(
        'One for each key and source: sessions and their metadata by cost, the largest first; others by key. At most 1,000',
      ),
    omittedGroups: z.int().describe('Number of unlisted groups, which the sums include'),
  })
  .meta({ id: 'UsageTotals' });
