export * from './serve.js';
export type { McpSource, TextQuery } from './source.js';
