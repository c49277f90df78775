import type { ApiKeyFacts } from '@app/domain';
import type { IsoTime } from '@app/kernel';
import { loadRows } from '../../rows/load-rows.js';
import { type ApiKeyRow, apiKeys } from '../../rows/tenant-tables.js';
import { writeRows } from '../../rows/write-rows.js';
import type { Projection, TenantLogEvent } from '../projection.js';

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
