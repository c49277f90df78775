import type { Generated } from 'kysely';

/** `migrations/0001_blobs.sql` says what the columns mean. */
type BlobTable = {
  digest: Buffer;
  media_type: string;
  size: bigint;
  content: Buffer;
  created_at: Generated<Date>;
};

/** Which files of `migrations/` this database has seen. `migrate.ts` creates it. */
type SchemaMigrationTable = {
  number: number;
  name: string;
  /** Of the file's text, in hex. */
  sha256: string;
  applied_at: Generated<Date>;
};

/** `migrations/0007_tenants.sql` says what the columns mean. */
type KeyUseTable = { key: string; tenant: string; used_at: Date };

export type ReadModelTables = {
  key_use: KeyUseTable;
  blob: BlobTable;
  schema_migration: SchemaMigrationTable;
};
