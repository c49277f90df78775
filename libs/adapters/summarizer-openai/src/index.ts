export { openAiChatSummarizer } from './chat/openai-chat-summarizer.js';
export type { OpenAiOptions } from './openai-client.js';
export { openAiResponsesSummarizer } from './responses/openai-responses-summarizer.js';
