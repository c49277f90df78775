import { type MessageId, Revision, type SessionId, type TenantId } from '@app/kernel';
import type { MessagePlace } from '@app/ports';
import { sql } from 'kysely';
import type { TenantRows } from '../tenancy/tenant-rows.js';

/** Returns the revision of a message, and the revision up to which the rows are complete: two index lookups. */
export const messageRevision = async (
  rowsOf: TenantRows,
  { tenant, session }: { readonly tenant: TenantId; readonly session: SessionId },
  id: MessageId,
): Promise<MessagePlace> => {
  const rows = rowsOf(tenant)
    .selectFrom('audit_events')
    .select('revision')
    .where('tenant', '=', tenant)
    .where('session', '=', session);
  // Reads the newest row first: later events are then found in the log.
  const newest = await rows.orderBy('position', 'desc').limit(1).executeTakeFirst();
  const found = await rows
    .where('type', '=', sql.lit('MessageAppended'))
    .where(sql`payload ->> 'messageId'`, '=', id)
    .limit(1)
    .executeTakeFirst();
  return {
    revision: found && Revision(Number(found.revision)),
    upTo: newest && Revision(Number(newest.revision)),
  };
};
