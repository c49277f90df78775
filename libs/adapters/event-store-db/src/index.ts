export * from './json-schemas.js';
export * from './native-base64.js';
export * from './open.js';
