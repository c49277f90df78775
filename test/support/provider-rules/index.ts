export * from './anthropic-request.js';
export * from './openai-chat-request.js';
export * from './openai-responses-request.js';
export * from './reasoning.js';
export type { Faults } from './values.js';
