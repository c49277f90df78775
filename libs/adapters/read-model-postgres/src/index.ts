export { openDatabase, type ReadModelDatabase } from './database.js';
export { migrate } from './migrate.js';
export type { BlobTable, ReadModelTables, SchemaMigrationTable } from './tables.js';
