import { KEY_PERMISSIONS } from '@app/domain';
import { IsoTime, KeyId, LogPosition, TenantId } from '@app/kernel';
import type { KeyRecords } from '@app/ports';
import type { Kysely } from 'kysely';
import type { ReadTables } from '../../rows/read-tables.js';

/** Keys and the place in the log that they are as of, from one look at both. */
export const allApiKeys = (db: Kysely<ReadTables>): Promise<KeyRecords> =>
  db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (trx) => {
      const read = trx.withSchema('read');
      const checkpoint = await read
        .selectFrom('projection_checkpoint')
        .select('position')
        .where('projection', '=', 'api_keys')
        .executeTakeFirst();
      const rows = await read
        .selectFrom('api_keys')
        .select(['key', 'tenant', 'role', 'permissions', 'hash', 'expires_at', 'revoked'])
        .execute();
      const keys = rows.map((row) => ({
        keyId: KeyId(row.key),
        tenant: TenantId(row.tenant),
        role: row.role,
        permissions: permissionsIn(row.permissions),
        hash: row.hash,
        expiresAt: row.expires_at && IsoTime(row.expires_at),
        revoked: row.revoked,
      }));
      return { keys, position: checkpoint?.position == null ? 'start' : LogPosition(checkpoint.position) };
    });

const permissionsIn = (words: string) => {
  const given = words.split(' ');
  return KEY_PERMISSIONS.filter((one) => given.includes(one));
};
