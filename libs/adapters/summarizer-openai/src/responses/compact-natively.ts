import type { Usage } from '@app/domain';
import type { JsonObject } from '@app/kernel';
import { type RepeatedRequest, SummarizerError } from '@app/ports';
import type OpenAI from 'openai';
import { faultOf } from '../fault-of.js';
import { usageOf } from '../usage-of.js';
import { repeatedBody } from './responses-body.js';

/**
 * Returns OpenAI's compaction: the user messages, and one opaque item, unchanged.
 *
 * @throws {SummarizerError}; the reason of `signal`.
 */
export const compactNatively = async (
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
    throw faultOf(error, undefined);
  }
};
