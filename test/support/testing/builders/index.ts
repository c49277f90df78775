export * from './commands.js';
export * from './count.js';
export * from './descents.js';
export * from './messages.js';
export * from './sessions.js';
export * from './summaries.js';
