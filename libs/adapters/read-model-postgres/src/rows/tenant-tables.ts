import { type RowOf, table } from './kinds.js';

/** `read.tenants`, `read.api_keys`, `read.audit_reads`: columns are documented in their migration. */
export const tenants = table('tenants', ['tenant'], {
  tenant: 'text',
  name: 'text',
  requests_per_second: 'count',
  requests_per_minute: 'count',
  tokens_per_minute: 'count',
  concurrent_compactions: 'count',
  registered_at: 'time?',
  registered_by: 'text?',
  position: 'position',
  updated_at: 'time',
});
export type TenantRow = RowOf<typeof tenants.columns>;

export const apiKeys = table('api_keys', ['key'], {
  key: 'text',
  tenant: 'text',
  role: 'key-role',
  permissions: 'text',
  hash: 'text',
  prefix: 'text',
  label: 'text',
  issued_at: 'time',
  expires_at: 'time?',
  replaced_by: 'text?',
  revoked: 'flag',
  position: 'position',
});
export type ApiKeyRow = RowOf<typeof apiKeys.columns>;

export const auditReads = table('audit_reads', ['position'], {
  position: 'position',
  tenant: 'text',
  recorded_at: 'time',
  actor: 'text',
  kind: 'read-kind',
  endpoint: 'text',
  session: 'text?',
  first_revision: 'count?',
  last_revision: 'count?',
  filters: 'json',
  rows: 'count?',
  reason: 'text?',
});
export type AuditReadRow = RowOf<typeof auditReads.columns>;
