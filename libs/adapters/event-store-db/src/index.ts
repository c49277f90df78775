export * from './json-schemas.js';
export * from './open.js';
