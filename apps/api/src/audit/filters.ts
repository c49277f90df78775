import { auditEventType, compactionEnd, trigger } from '@app/contract';
import { defined, IsoTime, type TenantId } from '@app/kernel';
import { AUDIT_SORTS, type AuditFilter, type Role } from '@app/ports';
import { z } from 'zod';
import { descriptionFilters, withLabels } from '../sessions/description.js';
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
  session: sessionId.exactOptional(),
  ...descriptionFilters,
  type: z
    .union([auditEventType.transform((type) => [type]), z.array(auditEventType).min(1).max(50)])
    .exactOptional()
    .describe('Types of events; may be repeated'),
  trigger: trigger.exactOptional().describe('Trigger of the event’s compaction'),
  outcome: compactionEnd.exactOptional().describe('Outcome of a compaction by the event'),
  profile: words.exactOptional().describe('Profile of the compaction, or of the session at that time'),
  model: words.exactOptional().describe('The billed model, or the session’s model at that time'),
  actor: words.exactOptional().describe('The actor of the event'),
  correlation: words.exactOptional().describe('Correlation ID of a turn or operation'),
  compaction: words.exactOptional().describe('ID of the event’s compaction'),
  lost: words
    .exactOptional()
    .describe('A name, path, error or number that a compaction has lost, or words of a lost directive'),
  since: instant.exactOptional().describe('Earliest time of recording, inclusive'),
  until: instant.exactOptional().describe('Latest time of recording, exclusive'),
};

const shape = z.object(filters);
type Filters = z.output<typeof shape>;

/** Returns the filter for the key's own tenant. */
export const filterOf = (
  tenant: TenantId,
  { type, correlation, compaction, ...given }: Filters,
): AuditFilter => ({
  tenant,
  ...withLabels(given),
  ...defined({ types: type, correlationId: correlation, compactionId: compaction }),
});

/** Roles that may read the audit. */
export const READERS: readonly Role[] = ['auditor', 'operator', 'admin'];
