import { auditEventType, compactionEnd, trigger } from '@app/contract';
import { IsoTime, type TenantId } from '@app/kernel';
import { AUDIT_SORTS, type AuditFilter, type Role } from '@app/ports';
import { z } from 'zod';
import { descriptionFilterOf, descriptionFilters } from '../sessions/description.js';
import { sessionId } from '../sessions/shapes.js';

/** An instant, or a day, which is its midnight in UTC. */
export const instant = z
  .union(
    [z.iso.datetime({ offset: true }), z.iso.date()],
    'give a time such as 2026-11-21T09:30:00Z, or a day',
  )
  .transform(IsoTime)
  .meta({ id: 'Instant', description: 'A time, or a day: its midnight in UTC' });

export const words = z.string().min(1).max(200);

export const auditSort = z.enum(AUDIT_SORTS).meta({ id: 'AuditSort', description: '`-` sorts newest first' });

/** Filters of audit searches, totals and exports. */
export const filters = {
  session: sessionId.optional(),
  ...descriptionFilters,
  type: z
    .union([auditEventType.transform((type) => [type]), z.array(auditEventType).min(1).max(50)])
    .optional()
    .describe('Types of events; may be repeated'),
  trigger: trigger.optional().describe('Trigger of the event’s compaction'),
  outcome: compactionEnd.optional().describe('Outcome of a compaction by the event'),
  profile: words.optional().describe('Profile of the compaction, or of the session at that time'),
  model: words.optional().describe('The billed model, or the session’s model at that time'),
  actor: words.optional().describe('The actor of the event'),
  correlation: words.optional().describe('Correlation ID of a turn or operation'),
  compaction: words.optional().describe('ID of the event’s compaction'),
  lost: words
    .optional()
    .describe('A name, path, error or number that a compaction has lost, or words of a lost directive'),
  since: instant.optional().describe('Earliest time of recording, inclusive'),
  until: instant.optional().describe('Latest time of recording, exclusive'),
};

const shape = z.object(filters);
type Filters = z.output<typeof shape>;

/** Returns the filter for the key's own tenant, without `undefined` members. */
export const filterOf = (tenant: TenantId, given: Filters): AuditFilter => ({
  tenant,
  ...descriptionFilterOf(given),
  ...(given.session !== undefined && { session: given.session }),
  ...(given.type && { types: given.type }),
  ...(given.trigger && { trigger: given.trigger }),
  ...(given.outcome && { outcome: given.outcome }),
  ...(given.profile !== undefined && { profile: given.profile }),
  ...(given.model !== undefined && { model: given.model }),
  ...(given.actor !== undefined && { actor: given.actor }),
  ...(given.correlation !== undefined && { correlationId: given.correlation }),
  ...(given.compaction !== undefined && { compactionId: given.compaction }),
  ...(given.lost !== undefined && { lost: given.lost }),
  ...(given.since !== undefined && { since: given.since }),
  ...(given.until !== undefined && { until: given.until }),
});

/** Roles that may read the audit. */
export const READERS: readonly Role[] = ['auditor', 'operator', 'admin'];
