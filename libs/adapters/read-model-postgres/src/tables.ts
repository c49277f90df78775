import type { Generated } from 'kysely';

/** Columns are documented in `migrations/0001_blobs.sql`. */
type BlobTable = {
  digest: Buffer;
  media_type: string;
  size: bigint;
  content: Buffer;
  created_at: Generated<Date>;
};

/** Files of `migrations/` that were applied to this database. `migrate.ts` creates the table. */
type SchemaMigrationTable = {
  number: number;
  name: string;
  /** SHA-256 of the file's text, in hex. */
  sha256: string;
  applied_at: Generated<Date>;
};

/** Columns are documented in `migrations/0007_tenants.sql`. */
type KeyUseTable = { key: string; tenant: string; used_at: Date };

export type ReadModelTables = {
  key_use: KeyUseTable;
  blob: BlobTable;
  schema_migration: SchemaMigrationTable;
};
