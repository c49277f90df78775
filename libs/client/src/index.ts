export * from './client.js';
export type * from './generated/types.js';
export * from './messages/ai-sdk.js';
export * from './messages/ai-sdk-answer.js';
export * from './messages/anthropic.js';
export * from './messages/anthropic-answer.js';
export * from './messages/blocks.js';
export type * from './messages/message.js';
export {
  answerFromOpenAi,
  argumentsIn,
  fromOpenAi,
  type OpenAiAnswer,
  type OpenAiMessage,
  toOpenAi,
} from './messages/openai.js';
export * from './messages/openai-responses.js';
export * from './messages/usage.js';
export type { AuditFilter } from './resources/audit.js';
export type { Page } from './resources/pages.js';
export * from './resources/refusal.js';
export type { SessionFilter } from './resources/sessions.js';
export { EventParser } from './streams/event-parser.js';
export type { StreamOptions } from './streams/sse.js';
export * from './transport/errors.js';
export type { CallOptions, ClientOptions } from './transport/transport.js';
