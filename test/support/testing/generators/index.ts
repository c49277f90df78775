export * from './play.js';
export * from './scripts.js';
export * from './steps.js';
export * from './texts.js';
