export type { AnthropicMessage, AnthropicRequest } from './anthropic-request.js';
export * from './compose.js';
export { composeWire } from './compose-wire.js';
export * from './manifest.js';
export type { OpenAiChatRequest } from './openai-chat-request.js';
export { validateAnthropic } from './validate-anthropic.js';
export { validateOpenAiChat } from './validate-openai-chat.js';
export type { Violation } from './violation.js';
export * from './wire.js';
