export * from './blocks.js';
export * from './follow-calls.js';
export * from './groups.js';
export * from './message.js';
export * from './subjects.js';
export type { BlockPlace, OpenCall } from './waiting-calls.js';
