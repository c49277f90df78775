import type { TenantId } from '@app/kernel';
import type { Kysely } from 'kysely';
import type { ReadModelDatabase } from '../database.js';
import type { ReadTables } from '../rows/read-tables.js';
import type { Planning } from './tenant-query.js';

/** The read models' rows of a tenant, and no others. */
export type TenantRows = (tenant: TenantId, planning?: Planning) => Kysely<ReadTables>;

export const tenantRows =
  (database: Pick<ReadModelDatabase, 'asTenant'>): TenantRows =>
  (tenant, planning) =>
    database.asTenant(tenant, planning).withTables<ReadTables>().withSchema('read');
