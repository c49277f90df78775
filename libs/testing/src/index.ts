export * from './builders/index.js';
export * from './generators/index.js';
export * from './log/memory-blob-store.js';
export * from './log/open-memory-log.js';
export * from './read-transcript.js';
export * from './sessions/session-events.js';
export * from './specification/index.js';
