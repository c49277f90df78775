export type { EventStoreOptions } from './process/options.js';
export { type Exit, type SpawnedEventStore, spawnEventStore } from './process/spawn-event-store.js';
export { type RunningEventStore, startEventStore } from './process/start-event-store.js';
export { type FolderLock, lockFolder } from './storage/folder-lock.js';
