export { openAiChatSummarizer } from './chat/openai-chat-summarizer.js';
export { openAiResponsesSummarizer } from './responses/openai-responses-summarizer.js';
