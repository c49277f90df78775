import 'reflect-metadata';

export * from './config.js';
export * from './log-problem.js';
export * from './open-palimpsest.js';
export type { LogLevel, ProcessRole } from './process-settings.js';
export { type DataFolder, openDataFolder } from './servers/data-folder.js';
