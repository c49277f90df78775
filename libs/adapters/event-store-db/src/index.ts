export * from './codec/json-schemas.js';
export * from './open.js';
