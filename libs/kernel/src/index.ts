export * from './brand.js';
export * from './errors.js';
export * from './event.js';
export * from './ids.js';
export * from './invariant.js';
export * from './json.js';
export * from './text.js';
export * from './units.js';
