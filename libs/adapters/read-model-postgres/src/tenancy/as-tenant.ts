import type { TenantId } from '@app/kernel';
import { type Kysely, sql } from 'kysely';
import type { ReadTables } from '../rows/read-tables.js';
import { READER } from './reader-role.js';

/**
 * Reads as the role that sees the rows of one tenant alone, whatever the query asks for: whoever forgets the tenant in
 * a query finds too little, never too much. Role and tenant end with the transaction, so that nobody finds them on the
 * connection later.
 *
 * One table each time: whoever reads a second one holds the first while a rebuild may wait for that, with the second
 * in its hands.
 */
export const asTenant = <Result>(
  db: Kysely<ReadTables>,
  tenant: TenantId,
  read: (own: Kysely<ReadTables>) => Promise<Result>,
): Promise<Result> =>
  db
    .transaction()
    .setAccessMode('read only')
    .execute(async (trx) => {
      await sql`select set_config('role', ${READER}, true), set_config('palimpsest.tenant', ${tenant}, true)`.execute(
        trx,
      );
      return read(trx);
    });
