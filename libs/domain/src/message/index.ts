export * from './blocks.js';
export * from './groups.js';
export * from './message.js';
export * from './pairing.js';
