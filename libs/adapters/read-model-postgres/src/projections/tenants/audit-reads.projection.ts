import { type AuditReadRow, auditReads } from '../../rows/tenant-tables.js';
import { writeRows } from '../../rows/write-rows.js';
import type { Projection, TenantLogEvent } from '../projection.js';

/** One row per read of a tenant's records. */
export const auditReadsProjection: Projection = {
  name: 'audit_reads',
  tables: [auditReads.name],
  applyTenants: (trx, events) => writeRows(trx, auditReads, events.flatMap(rowOf), 'keep'),
};

const rowOf = ({ position, tenant, recordedAt, context, event }: TenantLogEvent): readonly AuditReadRow[] => {
  const read = { position, tenant, recorded_at: recordedAt, actor: context.actor };
  if (event.type === 'AuditRead') {
    const none = { session: null, first_revision: null, last_revision: null, reason: null };
    return [{ ...read, ...none, kind: 'audit', ...event.data }];
  }
  if (event.type !== 'ContentRead') return [];
  const { endpoint, session, revisions, filters, reason } = event.data;
  const range = { first_revision: revisions?.from ?? null, last_revision: revisions?.to ?? null };
  return [{ ...read, ...range, kind: 'content', endpoint, session, filters, reason, rows: null }];
};
