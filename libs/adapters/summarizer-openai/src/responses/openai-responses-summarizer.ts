import type { Usage } from '@app/domain';
import type { JsonObject } from '@app/kernel';
import {
  answerMax,
  clientFault,
  type ModelOptions,
  type RepeatedRequest,
  type Summarizer,
  SummarizerError,
} from '@app/ports';
import OpenAI from 'openai';
import { identityOf, openAiClient } from '../openai-client.js';
import { usageOf } from '../usage-of.js';
import { readResponse } from './read-response.js';
import { repeatedBody, responsesBody } from './responses-body.js';

/** Summarizes with a model behind OpenAI's Responses. Nothing of a call is stored there. */
export const openAiResponsesSummarizer = (options: ModelOptions): Summarizer => {
  const client = openAiClient(options);
  const { model, isSessionModel, inputMax } = options;
  return {
    identity: identityOf('openai-responses', options),
    ...(inputMax !== undefined && { inputMax }),
    ...(isSessionModel && { repeats: 'openai-responses' as const }),
    summarize: (request, signal) => {
      const sized = { model, max_output_tokens: answerMax(options, request.sizeMax), store: false };
      return readResponse(client, { ...responsesBody(request), ...sized }, signal);
    },
    compactNatively: (parent, signal) => compactNatively(client, parent, model, signal),
  };
};

/**
 * Returns OpenAI's compaction: the user messages, and one opaque item, unchanged.
 *
 * @throws {SummarizerError}; the reason of `signal`.
 */
const compactNatively = async (
  client: OpenAI,
  parent: RepeatedRequest,
  model: string,
  signal: AbortSignal,
): Promise<{ readonly items: readonly JsonObject[]; readonly usage?: Usage }> => {
  try {
    const { input = [], instructions = null } = repeatedBody(parent);
    const { output, usage } = await client.responses.compact({ model, input, instructions }, { signal });
    const items: readonly JsonObject[] = JSON.parse(JSON.stringify(output));
    const billed = usageOf({
      input: usage?.input_tokens,
      cached: usage?.input_tokens_details?.cached_tokens,
      cacheWritten: usage?.input_tokens_details?.cache_write_tokens,
      output: usage?.output_tokens,
    });
    if (items.some(({ type }) => type === 'compaction')) return { items, usage: billed };
    throw new SummarizerError('unavailable', { about: 'no_compaction_item', usage: billed });
  } catch (error) {
    signal.throwIfAborted();
    throw clientFault(error, undefined, OpenAI);
  }
};
