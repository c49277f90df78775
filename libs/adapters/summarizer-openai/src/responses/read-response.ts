import type { SummaryOutcome, Usage } from '@app/domain';
import { SummarizerError, type SummaryResult, summarizerErrorOf } from '@app/ports';
import type OpenAI from 'openai';
import type {
  Response,
  ResponseCreateParamsStreaming,
  ResponseStreamEvent,
} from 'openai/resources/responses/responses';
import { faultOf } from '../fault-of.js';
import { usageOf } from '../usage-of.js';

type Answer = {
  text: string;
  refuses: boolean;
  callsTool: boolean;
  /** How it ended; `undefined` until it has: a stream may end before it does, and nobody says so. */
  end: 'completed' | 'incomplete' | undefined;
  reason: string | undefined;
  usage: Usage | undefined;
};

/**
 * Sends a request and reads its answer to the end. The client takes a stream without a last event for one that has ended,
 * and hands some errors on as events.
 *
 * @throws {SummarizerError}; the reason of `signal` where it aborts: the connection is closed then.
 */
export const readResponse = async (
  client: OpenAI,
  body: Omit<ResponseCreateParamsStreaming, 'stream'>,
  signal: AbortSignal,
): Promise<SummaryResult> => {
  const answer: Answer = {
    text: '',
    refuses: false,
    callsTool: false,
    end: undefined,
    reason: undefined,
    usage: undefined,
  };
  try {
    const stream = await client.responses.create({ ...body, stream: true }, { signal });
    for await (const event of stream) take(answer, event);
  } catch (error) {
    signal.throwIfAborted();
    throw faultOf(error, answer.usage);
  }
  signal.throwIfAborted();
  const paid = answer.usage && { usage: answer.usage };
  if (!answer.end) throw new SummarizerError('unavailable', { about: 'stream_ended_early', ...paid });
  return { text: answer.text.trim(), finish: finishOf(answer), ...paid };
};

/** @throws {SummarizerError} for an event that says that there will be no answer. */
const take = (answer: Answer, event: ResponseStreamEvent): void => {
  switch (event.type) {
    case 'response.output_text.delta':
      answer.text += event.delta;
      return;
    case 'response.refusal.delta':
      answer.refuses = true;
      return;
    case 'response.output_item.added':
      if (/_call$/.test(event.item.type)) answer.callsTool = true;
      return;
    case 'response.completed':
    case 'response.incomplete':
      answer.end = event.type === 'response.completed' ? 'completed' : 'incomplete';
      answer.reason = event.response.incomplete_details?.reason;
      answer.usage = billed(event.response);
      return;
    case 'response.failed': {
      const { error } = event.response;
      throw failed(error?.message, error?.code, billed(event.response));
    }
    case 'error':
      throw failed(event.message, event.code, answer.usage);
    default:
  }
};

const failed = (
  message: string | undefined,
  code: string | null | undefined,
  usage: Usage | undefined,
): SummarizerError =>
  summarizerErrorOf({
    message: message ?? '',
    ...(typeof code === 'string' && { type: code }),
    ...(usage && { usage }),
  });

const billed = ({ usage }: Response): Usage | undefined =>
  usage
    ? usageOf({
        input: usage.input_tokens,
        cached: usage.input_tokens_details?.cached_tokens,
        cacheWritten: usage.input_tokens_details?.cache_write_tokens,
        output: usage.output_tokens,
      })
    : undefined;

const finishOf = ({ end, reason, refuses, callsTool }: Answer): SummaryOutcome['finish'] => {
  if (refuses) return 'refusal';
  if (callsTool) return 'tool-call';
  if (end === 'completed') return 'stop';
  return reason === 'content_filter' ? 'filtered' : 'length';
};
