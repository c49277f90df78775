export * from './session-run.js';
export * from './specification-of.js';
export * from './tail-of.js';
