import 'reflect-metadata';
// It has circular imports that work only if its index loads first, and esbuild orders shared modules by their first import.
import '@nestjs/cqrs';

export { configuredKey } from './access/configured-key.js';
export type { FirstKeyKeeper } from './access/open-access.js';
export { type ParentProcess, parentProcess } from './background/parent-process.js';
export { type BackupResult, backUp } from './backup/backup.js';
export { type RestoreResult, restore } from './backup/restore.js';
export { Closers } from './closers.js';
export * from './config.js';
export * from './log-problem.js';
export * from './open-palimpsest.js';
export { Palimpsest } from './palimpsest.js';
export { PalimpsestModule } from './palimpsest.module.js';
export { refreshModels } from './parts/models/refresh-models.js';
export { readableKeyFiles, warnOfReadableKeyFiles } from './parts/secrets/readable-key-files.js';
export { secretKeys } from './parts/secrets/secret-keys.js';
export { boundHeapGrowth } from './process/bound-heap-growth.js';
export { endSoon, stopSignal } from './process/end-soon.js';

export { findDataFolder, openDataFolder } from './servers/data-folder.js';
export { type Running, startWorker } from './start-worker.js';
export type { Health } from './telemetry/health.js';
export { NotReady, RETRY_AFTER_SECONDS, requireReady } from './telemetry/health.js';
export { Metrics } from './telemetry/metrics.js';
export { mayReadMetrics, Operations } from './telemetry/operations.js';
export * from './telemetry/spans.js';
