import {
  type ApiKeyFacts,
  DEFAULT_TENANT_LIMITS,
  initialTenant,
  isReadEvent,
  recordedLimits,
  type TenantLimits,
} from '@app/domain';
import type { IsoTime, TenantId } from '@app/kernel';
import {
  type ApiKeyRow,
  type AuditReadRow,
  apiKeys,
  auditReads,
  type TenantRow,
  tenants,
} from '../rows/read-tables.js';
import { loadRows, writeRows } from '../rows/write-rows.js';
import type { Projection, TenantLogEvent } from './projection.js';

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

/** One row per key: its tenant and its lifecycle. */
export const apiKeysProjection: Projection = {
  name: 'api_keys',
  tables: [apiKeys.name],
  applyTenants: async (trx, events) => {
    const rows = new Map<string, ApiKeyRow>();
    for (const row of await loadRows(trx, apiKeys, events.flatMap(mentionedBy))) rows.set(row.key, row);
    for (const recorded of events) for (const row of changedBy(recorded, rows)) rows.set(row.key, row);
    await writeRows(trx, apiKeys, [...rows.values()], 'replace');
  },
};

/** Keys that are there already, once each. */
const mentionedBy = ({ event }: TenantLogEvent, at: number, all: readonly TenantLogEvent[]) => {
  if (event.type !== 'ApiKeyRotated' && event.type !== 'ApiKeyRevoked') return [];
  const { keyId } = event.data;
  const first = all.findIndex(({ event: one }) => 'keyId' in one.data && one.data.keyId === keyId);
  return first === at ? [[keyId]] : [];
};

const changedBy = (recorded: TenantLogEvent, rows: ReadonlyMap<string, ApiKeyRow>): readonly ApiKeyRow[] => {
  const { event, position } = recorded;
  switch (event.type) {
    case 'ApiKeyIssued':
      return [issued(recorded, event.data.key, event.data.issuedAt)];
    case 'ApiKeyRotated': {
      const { keyId, replacement, validUntil, rotatedAt } = event.data;
      const old = rows.get(keyId);
      const aged = old && { ...old, expires_at: validUntil, replaced_by: replacement.keyId, position };
      return [...(aged ? [aged] : []), issued(recorded, replacement, rotatedAt)];
    }
    case 'ApiKeyRevoked': {
      const old = rows.get(event.data.keyId);
      return old ? [{ ...old, revoked: true, position }] : [];
    }
    default:
      return [];
  }
};

const issued = (
  { tenant, position }: TenantLogEvent,
  { keyId, role, permissions, hash, prefix, label, expiresAt }: ApiKeyFacts,
  at: IsoTime,
): ApiKeyRow => ({
  key: keyId,
  tenant,
  role,
  permissions: permissions.join(' '),
  hash,
  prefix,
  label,
  issued_at: at,
  expires_at: expiresAt,
  replaced_by: null,
  revoked: false,
  position,
});

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
