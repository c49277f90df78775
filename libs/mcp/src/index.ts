export * from './serve.js';
export type { McpSource } from './source.js';
