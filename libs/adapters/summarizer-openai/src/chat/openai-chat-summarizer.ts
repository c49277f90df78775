import { isJsonObject, type JsonObject } from '@app/kernel';
import {
  answerMax,
  type ModelOptions,
  type RepeatedRequest,
  type Summarizer,
  type SummaryRequest,
} from '@app/ports';
import { NO_RESULT_YET, prefixPrompt, transcriptPrompt } from '@app/prompts';
import type { ChatCompletionCreateParamsStreaming } from 'openai/resources/chat/completions';
import { identityOf, openAiClient } from '../openai-client.js';
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

/** A request without model and answer limit. */
type ChatBody = Omit<ChatCompletionCreateParamsStreaming, 'model' | 'stream' | 'max_completion_tokens'>;

/** Returns the session's own request followed by the task, if given; else a separate request. */
const chatBody = (request: SummaryRequest): ChatBody => {
  if (request.parent) return prefixBody(request, request.parent);
  const { system, user } = transcriptPrompt(request);
  return {
    messages: [
      { role: 'system', content: system },
      { role: 'user', content: user },
    ],
  };
};

const prefixBody = (request: SummaryRequest, parent: RepeatedRequest): ChatBody => {
  const { model: _, max_completion_tokens: __, ...given }: JsonObject = JSON.parse(JSON.stringify(parent));
  const messages = messagesOf(given);
  const task: JsonObject = { role: 'user', content: prefixPrompt(request) };
  return asBody({ ...given, messages: [...messages, ...openResults(messages), task] });
};

/** A cast: the provider validates the session's content, which the client's types do not cover. */
const asBody = (body: JsonObject): ChatBody => JSON.parse(JSON.stringify(body));

const messagesOf = ({ messages }: JsonObject): readonly JsonObject[] =>
  Array.isArray(messages) ? messages.filter(isJsonObject) : [];

/** Returns results for open calls at the end of the messages. */
const openResults = (messages: readonly JsonObject[]): readonly JsonObject[] => {
  const calls = messages.at(-1)?.tool_calls;
  return Array.isArray(calls)
    ? calls
        .filter(isJsonObject)
        .map(({ id }) => ({ role: 'tool', tool_call_id: id ?? '', content: NO_RESULT_YET }))
    : [];
};
