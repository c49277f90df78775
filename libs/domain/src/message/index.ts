export * from './blocks.js';
export * from './follow-calls.js';
export * from './groups.js';
export * from './message.js';
export * from './pairing.js';
export * from './subjects.js';
export * from './traits.js';
export type { BlockPlace, OpenCall } from './waiting-calls.js';
