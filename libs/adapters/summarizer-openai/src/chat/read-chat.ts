import type { SummaryOutcome, Usage } from '@app/domain';
import { SummarizerError, type SummaryResult } from '@app/ports';
import type OpenAI from 'openai';
import type {
  ChatCompletionChunk,
  ChatCompletionCreateParamsStreaming,
} from 'openai/resources/chat/completions';
import { faultOf } from '../fault-of.js';
import { usageOf } from '../usage-of.js';

type Answer = {
  text: string;
  refuses: boolean;
  callsTool: boolean;
  /** `null` until the answer has come to an end: a stream may end before it does, and nobody says so. */
  finishReason: string | null;
  usage: Usage | undefined;
};

/**
 * Sends a request and reads its answer to the end. The client takes a stream that breaks off between two chunks for one
 * that has ended: only an answer that says why it ended is one.
 *
 * @throws {SummarizerError}; the reason of `signal` where it aborts: the connection is closed then.
 */
export const readChat = async (
  client: OpenAI,
  body: Omit<ChatCompletionCreateParamsStreaming, 'stream'>,
  signal: AbortSignal,
): Promise<SummaryResult> => {
  const answer: Answer = {
    text: '',
    refuses: false,
    callsTool: false,
    finishReason: null,
    usage: undefined,
  };
  try {
    const stream = await client.chat.completions.create(
      { ...body, stream: true, stream_options: { include_usage: true } },
      { signal },
    );
    for await (const chunk of stream) take(answer, chunk);
  } catch (error) {
    signal.throwIfAborted();
    throw faultOf(error, answer.usage);
  }
  signal.throwIfAborted();
  const paid = answer.usage && { usage: answer.usage };
  if (answer.finishReason === null) {
    throw new SummarizerError('unavailable', { about: 'stream_ended_early', ...paid });
  }
  return { text: answer.text.trim(), finish: finishOf(answer), ...paid };
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

const finishOf = ({ finishReason, refuses, callsTool }: Answer): SummaryOutcome['finish'] => {
  if (refuses) return 'refusal';
  if (callsTool) return 'tool-call';
  switch (finishReason) {
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
