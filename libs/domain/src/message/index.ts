export * from './blocks.js';
export * from './message.js';
