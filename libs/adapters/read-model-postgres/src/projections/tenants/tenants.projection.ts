import {
  DEFAULT_TENANT_LIMITS,
  initialTenant,
  isReadEvent,
  recordedLimits,
  type TenantLimits,
} from '@app/domain';
import type { TenantId } from '@app/kernel';
import { loadRows } from '../../rows/load-rows.js';
import { type TenantRow, tenants } from '../../rows/tenant-tables.js';
import { writeRows } from '../../rows/write-rows.js';
import type { Projection, TenantLogEvent } from '../projection.js';

/** One row for each tenant: its name and its limits. */
export const tenantsProjection: Projection = {
  name: 'tenants',
  tables: [tenants.name],
  applyTenants: async (trx, events) => {
    const rows = new Map<string, TenantRow>();
    const keys = [...new Set(events.map(({ tenant }) => tenant))].map((tenant) => [tenant]);
    for (const row of await loadRows(trx, tenants, keys)) rows.set(row.tenant, row);
    for (const recorded of events) {
      const row = after(rows.get(recorded.tenant) ?? unrecorded(recorded), recorded);
      if (row) rows.set(recorded.tenant, row);
    }
    await writeRows(trx, tenants, [...rows.values()], 'replace');
  },
};

const after = (row: TenantRow | undefined, recorded: TenantLogEvent): TenantRow | undefined => {
  const { event, position, recordedAt } = recorded;
  if (isReadEvent(event)) return row; // Said of a reader, not of the tenant.
  const place = { position, updated_at: recordedAt };
  switch (event.type) {
    case 'TenantRegistered': {
      const by = { registered_at: recordedAt, registered_by: recorded.context.actor };
      return { ...registered(event.data.tenantId, event.data.name, recorded), ...by };
    }
    case 'LimitsChanged':
      return row && { ...row, ...limitsOf(recordedLimits(event)), ...place };
    default:
      return row && { ...row, ...place };
  }
};

/** The operator's tenant is there before anything is recorded of it. */
const unrecorded = (recorded: TenantLogEvent): TenantRow | undefined => {
  const state = initialTenant(recorded.tenant);
  return state.status === 'registered' && !isReadEvent(recorded.event)
    ? { ...registered(state.tenantId, state.name, recorded), ...limitsOf(state.limits) }
    : undefined;
};

const registered = (tenant: TenantId, name: string, { position, recordedAt }: TenantLogEvent): TenantRow => ({
  tenant,
  name,
  ...limitsOf(DEFAULT_TENANT_LIMITS),
  registered_at: null,
  registered_by: null,
  position,
  updated_at: recordedAt,
});

const limitsOf = (limits: TenantLimits) => ({
  requests_per_second: limits.requestsPerSecond,
  requests_per_minute: limits.requestsPerMinute,
  tokens_per_minute: limits.tokensPerMinute,
  concurrent_compactions: limits.concurrentCompactions,
});
