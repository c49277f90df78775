export { type DumpedRow, dumpRows } from './backup/dump-rows.js';
export { isUnused, listBlobs, loadDumpedRows } from './backup/load-rows.js';
export { beginRestore, endRestore, requireNoRestore } from './backup/restore-run.js';
export { sessionsConcerned } from './content-keys/erase-keys.js';
export { openContentKeys } from './content-keys/open-content-keys.js';
export { openDatabase, type ReadModelDatabase } from './database.js';
export { databasePlaces } from './erasures/database-places.js';
export {
  installationOf,
  nameInstallation,
  requireKey,
  type SealedInstallation,
} from './installation/installation.js';
export { migrate } from './migrate.js';
export { openProjector, type ProjectorOptions } from './open-projector.js';
export { openReadModels } from './open-read-models.js';
export { auditPayload } from './projections/audit-events/session-payloads.js';
export type { ProjectorObserver } from './projector/progress.js';
export { openKeyUses } from './queries/tenants.js';
export { openConversations } from './requests/conversations.js';
export { openIdempotencyKeys } from './requests/idempotency-keys.js';
export { openSecretStore } from './secrets/open-secret-store.js';
export { resealSecrets } from './secrets/reseal-secrets.js';
export { resealLogSecrets } from './transparency/log-secrets.js';
export { openTransparencyLogs } from './transparency/open-transparency-logs.js';
export { openWitness } from './transparency/open-witness.js';
export { openWitnessedLogs } from './transparency/open-witnessed-logs.js';
export { transparencyRun } from './transparency/run-transparency-logs.js';
export { DatabaseClock } from './webhooks/database-clock.js';
export { holdRestoredDeliveries } from './webhooks/hold-restored.js';
export { openWebhookDeliveries } from './webhooks/open-webhook-deliveries.js';
export { openWebhookSecrets } from './webhooks/open-webhook-secrets.js';
