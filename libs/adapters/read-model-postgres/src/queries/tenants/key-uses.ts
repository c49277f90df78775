import { IsoTime, KeyId } from '@app/kernel';
import type { KeyUses } from '@app/ports';
import { sql } from 'kysely';
import type { ReadModelDatabase } from '../../database.js';

/** Uses of keys on a migrated database. */
export const openKeyUses = ({ db }: ReadModelDatabase): KeyUses => ({
  note: async (tenant, key, at) => {
    // The latest time wins, in any order of processes.
    await sql`insert into key_use (key, tenant, used_at) values (${key}, ${tenant}, ${at}::timestamptz)
      on conflict (key) do update set used_at = greatest(key_use.used_at, excluded.used_at)`.execute(db);
  },
  of: async (tenant) => {
    const rows = await db
      .selectFrom('key_use')
      .select(['key', 'used_at'])
      .where('tenant', '=', tenant)
      .execute();
    return new Map(rows.map(({ key, used_at }) => [KeyId(key), IsoTime(used_at)]));
  },
});
