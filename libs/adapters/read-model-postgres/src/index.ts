export { openDatabase, type ReadModelDatabase } from './database.js';
export { migrate } from './migrate.js';
export { openProjector, type ProjectorOptions } from './open-projector.js';
export { openReadModels } from './open-read-models.js';
export { auditPayload } from './projections/audit-events/audit-payload.js';
export type { ProjectorObserver } from './projector/parts.js';
export { openKeyUses } from './queries/tenants/key-uses.js';
export { openIdempotencyKeys } from './requests/idempotency-keys.js';
export type { BlobTable, ReadModelTables, SchemaMigrationTable } from './tables.js';
