import { type AuditReadRow, auditReads } from '../../rows/tenant-tables.js';
import { writeRows } from '../../rows/write-rows.js';
import type { Projection, TenantLogEvent } from '../projection.js';

/** One row for each look at what was recorded of a tenant. */
export const auditReadsProjection: Projection = {
  name: 'audit_reads',
  tables: [auditReads.name],
  applyTenants: (trx, events) => writeRows(trx, auditReads, events.flatMap(rowOf), 'keep'),
};

const rowOf = ({ position, tenant, recordedAt, context, event }: TenantLogEvent): readonly AuditReadRow[] => {
  if (event.type !== 'AuditRead') return [];
  const { endpoint, filters, rows } = event.data;
  return [{ position, tenant, recorded_at: recordedAt, actor: context.actor, endpoint, filters, rows }];
};
