import 'reflect-metadata';

export { configuredKey } from './access/configured-key.js';
export type { OpenedAccess } from './access/open-access.js';
export * from './config.js';
export * from './log-problem.js';
export * from './open-palimpsest.js';
export type { LogLevel, ProcessRole } from './process-settings.js';
export { type DataFolder, openDataFolder } from './servers/data-folder.js';
