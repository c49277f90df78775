import type { SummaryOutcome, Usage } from '@app/domain';
import { type SummarizerError, type SummaryResult, summarizerErrorOf } from '@app/ports';
import type OpenAI from 'openai';
import type {
  Response,
  ResponseCreateParamsStreaming,
  ResponseStreamEvent,
} from 'openai/resources/responses/responses';
import { EMPTY_ANSWER, type PartialAnswer, readStream } from '../read-stream.js';
import { usageOf } from '../usage-of.js';

type Answer = PartialAnswer & {
  /** Final status; `undefined` until the response has ended. */
  end: 'completed' | 'incomplete' | undefined;
  reason: string | undefined;
};

/**
 * Sends a request and reads its answer to the end; the client hands some errors on as events. @throws as
 * {@link readStream} does.
 */
export const readResponse = (
  client: OpenAI,
  body: Omit<ResponseCreateParamsStreaming, 'stream'>,
  signal: AbortSignal,
): Promise<SummaryResult> => {
  const answer: Answer = { ...EMPTY_ANSWER, end: undefined, reason: undefined };
  const open = () => client.responses.create({ ...body, stream: true }, { signal });
  return readStream({ answer, open, take, endOf }, signal);
};

/** @throws {SummarizerError} for an event that reports a failure. */
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

const endOf = ({ end, reason }: Answer): SummaryOutcome['finish'] | undefined => {
  if (end !== 'incomplete') return end && 'stop';
  return reason === 'content_filter' ? 'filtered' : 'length';
};
