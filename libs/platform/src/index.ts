import 'reflect-metadata';

export { configuredKey } from './access/configured-key.js';
export type { FirstKeyKeeper, OpenedAccess } from './access/open-access.js';
export * from './config.js';
export * from './log-problem.js';
export { refreshModels } from './modules/models/refresh-models.js';
export * from './open-palimpsest.js';
export { boundHeapGrowth } from './process/bound-heap-growth.js';
export { endSoon, stopSignal } from './process/end-soon.js';
export type { LogLevel, ProcessRole } from './process-settings.js';
export { type DataFolder, findDataFolder, openDataFolder } from './servers/data-folder.js';
export type { Health } from './telemetry/health.js';
export { NotReady, requireReady } from './telemetry/health.js';
export { Metrics } from './telemetry/metrics.js';
export { mayReadMetrics, type Operations } from './telemetry/operations.js';
export { type OperationsServer, serveOperations } from './telemetry/serve-operations.js';
export * from './telemetry/spans.js';
