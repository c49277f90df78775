export * from './commands.js';
export { decide } from './decide/decide.js';
export * from './entry.js';
export * from './events.js';
export * from './evolve.js';
export * from './rebuild.js';
export * from './state.js';
