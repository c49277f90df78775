export * from './builders/index.js';
export * from './generators/index.js';
export * from './read-transcript.js';
export * from './specification/index.js';
