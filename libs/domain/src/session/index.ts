export * from './commands.js';
export { decide } from './decide/decide.js';
export { planNow } from './decide/give-up-calls.js';
export * from './entry.js';
export * from './events.js';
export { evolve, type Placed } from './evolve.js';
export * from './fold.js';
export * from './rebuild.js';
export * from './state.js';
