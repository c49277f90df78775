import type { TenantId } from '@app/kernel';
import type { Kysely } from 'kysely';
import type { ReadModelDatabase } from '../database.js';
import type { ReadTables } from '../rows/read-tables.js';

/** The read models' rows of a tenant, and no others. */
export type TenantRows = (tenant: TenantId) => Kysely<ReadTables>;

export const tenantRows =
  (database: Pick<ReadModelDatabase, 'asTenant'>): TenantRows =>
  (tenant) =>
    database.asTenant(tenant).withTables<ReadTables>().withSchema('read');
