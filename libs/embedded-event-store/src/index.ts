export type { EventStoreOptions } from './process/options.js';
export { type RunningEventStore, startEventStore } from './process/start-event-store.js';
