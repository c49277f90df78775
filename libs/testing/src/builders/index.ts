export * from './commands.js';
export * from './count.js';
export * from './messages.js';
export * from './summaries.js';
