import type { JsonObject } from '@app/kernel';
import type { Answer } from '../../replies/reply.js';
import type { Accepted, Writer } from '../writer.js';

/** Returns the bill of a response; a compaction is part of the output. */
export const responsesUsage = (
  reply: Answer,
  { prompt, tokens }: Accepted,
  output: readonly JsonObject[],
  writer: Writer,
): JsonObject => {
  const { cached, written } = writer.cache.account(prompt);
  const said = writer.outputTokens(reply);
  const compaction = output.filter(({ type }) => type === 'compaction');
  const all = said.output + (compaction.length > 0 ? writer.count(JSON.stringify(compaction)) : 0);
  return {
    ...{ input_tokens: tokens, output_tokens: all, total_tokens: tokens + all },
    input_tokens_details: { cached_tokens: cached, cache_write_tokens: written },
    output_tokens_details: { reasoning_tokens: said.reasoning },
  };
};
