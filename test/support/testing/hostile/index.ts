export { runHostile } from './run.js';
export { CONTENT_MARK } from './values.js';
export { caughtUp, makeWorld, seenByBystander, type World } from './world.js';
