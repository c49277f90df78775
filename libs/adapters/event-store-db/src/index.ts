export * from './open.js';
