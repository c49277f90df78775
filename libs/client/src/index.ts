export * from './client.js';
export * from './messages/ai-sdk.js';
export * from './messages/ai-sdk-answer.js';
export * from './messages/anthropic.js';
export * from './messages/message.js';
export {
  answerFromOpenAi,
  argumentsIn,
  fromOpenAi,
  type OpenAiAnswer,
  type OpenAiMessage,
  toOpenAi,
} from './messages/openai.js';
export * from './messages/openai-responses.js';
export type * from './resources/compactions.js';
export type * from './resources/managed-sessions.js';
export type { Page } from './resources/pages.js';
export type * from './resources/profiles.js';
export type * from './resources/projections.js';
export * from './resources/refusal.js';
export type * from './resources/sessions.js';
export type * from './resources/tenants/keys.js';
export type * from './resources/tenants/secrets.js';
export type { Webhook, WebhookDelivery, WebhookSettings } from './resources/webhooks.js';
export type { StreamOptions } from './streams/sse.js';
export * from './transport/errors.js';
export type { CallOptions, ClientOptions } from './transport/transport.js';
export type * from './types/audit.js';
export type * from './types/compactions.js';
export type * from './types/comparisons.js';
export type * from './types/error-code.js';
export type * from './types/event-type.js';
export type * from './types/explanations.js';
export type * from './types/messages.js';
export type * from './types/models.js';
export type * from './types/names.js';
export type * from './types/occupancy.js';
export type * from './types/profiles.js';
export type * from './types/recall.js';
export type * from './types/requests.js';
export type * from './types/retention.js';
export type * from './types/sessions.js';
export type * from './types/shared.js';
