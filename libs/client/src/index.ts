export * from './client.js';
export * from './messages/ai-sdk.js';
export * from './messages/anthropic.js';
export type * from './messages/message.js';
export {
  answerFromOpenAi,
  fromOpenAi,
  type OpenAiAnswer,
  type OpenAiMessage,
  toOpenAi,
} from './messages/openai.js';
export * from './messages/openai-responses.js';
export type * from './models/model.js';
export type * from './resources/compactions.js';
export type * from './resources/managed-sessions.js';
export type { Page } from './resources/pages.js';
export type * from './resources/profiles.js';
export type * from './resources/projections.js';
export * from './resources/refusal.js';
export type * from './resources/sessions.js';
export type * from './resources/tenants/keys.js';
export type * from './resources/tenants/secrets.js';
export type { StreamOptions } from './streaming/sse.js';
export * from './transport/errors.js';
export type { CallOptions, ClientOptions } from './transport/transport.js';
export type * from './types/audit.js';
export type * from './types/compactions.js';
export type * from './types/comparing.js';
export type * from './types/composing.js';
export type * from './types/event-type.js';
export type * from './types/explaining.js';
export type * from './types/profiles.js';
export type * from './types/recalling.js';
export type * from './types/sessions.js';
export type * from './types/shared.js';
export type * from './types/talking.js';
