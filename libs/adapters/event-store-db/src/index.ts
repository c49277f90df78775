export * from './json-schemas.js';
export * from './open.js';
export * from './native-base64.js';
