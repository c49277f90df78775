import type { SessionEvent } from '@app/domain';
import { type JsonObject, type Revision, sessionStream } from '@app/kernel';
import type { ErasedContent, EventLog } from '@app/ports';
import { sql } from 'kysely';
import type { ReadModelDatabase } from '../database.js';
import { rowPayload, type SearchDigests } from '../projections/audit-events/losses.js';
import { arrayOf } from '../rows/write-rows.js';

type Db = ReadModelDatabase['db'];
type Read = { readonly revision: Revision; readonly event: SessionEvent };

/** Rows that one statement compares with the log. */
const ROWS_AT_ONCE = 500;

/**
 * Replaces reasons and digests of erased texts in audit rows by the markers that the log now returns. Returns the number of
 * rows.
 */
export const eraseAuditRows = async (
  db: Db,
  log: Pick<EventLog, 'readForwards'>,
  digests: SearchDigests,
  { tenant, sessions }: ErasedContent,
): Promise<number> => {
  let replaced = 0;
  for (const session of sessions) {
    const replace = async (read: readonly Read[]): Promise<void> => {
      const payloads: JsonObject[] = [];
      for (const { event } of read) payloads.push(await rowPayload(tenant, event, digests));
      const { numAffectedRows = 0n } = await sql`update read.audit_events as one set payload = now.payload
        from unnest(${read.map(({ revision }) => revision)}::bigint[],
          ${arrayOf('json', payloads)}) as now (revision, payload)
        where one.tenant = ${tenant} and one.session = ${session} and one.revision = now.revision
          and one.payload <> now.payload`.execute(db);
      replaced += Number(numAffectedRows);
    };
    let read: Read[] = [];
    for await (const { revision, event } of log.readForwards(sessionStream(tenant, session))) {
      read.push({ revision, event });
      if (read.length < ROWS_AT_ONCE) continue;
      await replace(read);
      read = [];
    }
    if (read.length > 0) await replace(read);
  }
  return replaced;
};
