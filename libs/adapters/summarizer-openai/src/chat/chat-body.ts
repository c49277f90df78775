import { isJsonObject, type JsonObject } from '@app/kernel';
import type { RepeatedRequest, SummaryRequest } from '@app/ports';
import { NO_RESULT_YET, prefixPrompt, transcriptPrompt } from '@app/prompts';
import type { ChatCompletionCreateParamsStreaming } from 'openai/resources/chat/completions';

/** A request without model and answer limit. */
export type ChatBody = Omit<
  ChatCompletionCreateParamsStreaming,
  'model' | 'stream' | 'max_completion_tokens'
>;

/** Returns the session's own request followed by the task, if given; else a separate request. */
export const chatBody = (request: SummaryRequest): ChatBody => {
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
