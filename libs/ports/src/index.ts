export * from './blob-store.port.js';
export * from './clock.port.js';
export * from './context-provider.port.js';
export * from './event-log.port.js';
export * from './read-models.port.js';
export * from './subscriptions.port.js';
export * from './summarizer.port.js';
export * from './token-counter.port.js';
