import type { SummaryOutcome } from '@app/domain';
import type { SummaryResult } from '@app/ports';
import type OpenAI from 'openai';
import type {
  ChatCompletionChunk,
  ChatCompletionCreateParamsStreaming,
} from 'openai/resources/chat/completions';
import { EMPTY_ANSWER, type PartialAnswer, readStream } from '../read-stream.js';
import { usageOf } from '../usage-of.js';

type Answer = PartialAnswer & {
  /** `null` until the answer has come to an end. */
  finishReason: string | null;
};

/** Sends a request and reads its answer to the end. @throws as {@link readStream} does. */
export const readChat = (
  client: OpenAI,
  body: Omit<ChatCompletionCreateParamsStreaming, 'stream'>,
  signal: AbortSignal,
): Promise<SummaryResult> => {
  const answer: Answer = { ...EMPTY_ANSWER, finishReason: null };
  const streamed = { ...body, stream: true, stream_options: { include_usage: true } } as const;
  const open = () => client.chat.completions.create(streamed, { signal });
  return readStream({ answer, open, take, endOf }, signal);
};

const take = (answer: Answer, { choices, usage }: ChatCompletionChunk): void => {
  if (usage) {
    answer.usage = usageOf({
      input: usage.prompt_tokens,
      cached: usage.prompt_tokens_details?.cached_tokens,
      cacheWritten: usage.prompt_tokens_details?.cache_write_tokens,
      output: usage.completion_tokens,
    });
  }
  const [choice] = choices ?? [];
  if (!choice) return;
  const { content, refusal, tool_calls: calls, function_call: call } = choice.delta ?? {};
  if (content) answer.text += content;
  if (refusal) answer.refuses = true;
  if (calls?.length || call) answer.callsTool = true;
  answer.finishReason = choice.finish_reason ?? answer.finishReason;
};

const endOf = ({ finishReason }: Answer): SummaryOutcome['finish'] | undefined => {
  switch (finishReason) {
    case null:
      return undefined;
    case 'stop':
      return 'stop';
    case 'tool_calls':
    case 'function_call':
      return 'tool-call';
    case 'content_filter':
      return 'filtered';
    default:
      return 'length';
  }
};
