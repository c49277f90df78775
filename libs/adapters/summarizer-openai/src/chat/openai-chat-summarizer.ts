import { answerMax, type ModelOptions, type Summarizer } from '@app/ports';
import { identityOf, openAiClient } from '../openai-client.js';
import { chatBody } from './chat-body.js';
import { readChat } from './read-chat.js';

/** Summarizes with a model behind OpenAI's chat completions, or a server that speaks like them. */
export const openAiChatSummarizer = (options: ModelOptions): Summarizer => {
  const client = openAiClient(options);
  const { model, isSessionModel, inputMax } = options;
  return {
    identity: identityOf('openai-chat', options),
    ...(inputMax !== undefined && { inputMax }),
    ...(isSessionModel && { repeats: 'openai-chat' as const }),
    summarize: (request, signal) => {
      const sized = { model, max_completion_tokens: answerMax(options, request.sizeMax) };
      return readChat(client, { ...chatBody(request), ...sized }, signal);
    },
  };
};
