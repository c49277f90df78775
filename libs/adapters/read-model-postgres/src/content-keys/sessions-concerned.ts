import type { ErasureTarget } from '@app/domain';
import { SessionId, type TenantId } from '@app/kernel';
import { sql } from 'kysely';
import type { ReadModelDatabase } from '../database.js';

/** Returns the sessions with content that an erasure of the target would destroy, by their keys. */
export const sessionsConcerned =
  ({ db }: Pick<ReadModelDatabase, 'db'>) =>
  async (tenant: TenantId, target: ErasureTarget): Promise<readonly SessionId[]> => {
    if (target.scope === 'session') return [target.session];
    const subject = target.scope === 'subject' ? target.subject : null;
    const { rows } = await sql<{ session: string }>`select distinct session from keys.content_key
      where tenant = ${tenant} and erased_at is null and (${subject}::text is null or subject = ${subject})
      order by session`.execute(db);
    return rows.map(({ session }) => SessionId(session));
  };
