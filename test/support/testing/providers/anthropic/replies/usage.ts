import type { JsonObject } from '@app/kernel';
import type { CacheAccount } from '../prompt-cache.js';

const promptUsage = ({ read, written5m, written1h, uncached }: CacheAccount): JsonObject => ({
  input_tokens: uncached,
  cache_creation_input_tokens: written5m + written1h,
  cache_read_input_tokens: read,
  cache_creation: { ephemeral_5m_input_tokens: written5m, ephemeral_1h_input_tokens: written1h },
});

export const NOTHING_READ: CacheAccount = { read: 0, written5m: 0, written1h: 0, uncached: 0 };

export const usageOf = (account: CacheAccount, output: number, thinking: number): JsonObject => ({
  ...promptUsage(account),
  output_tokens: output,
  output_tokens_details: { thinking_tokens: thinking },
  server_tool_use: null,
  service_tier: 'standard',
});

/** Returns one pass of the model over the prompt, if there were several. */
export const iterationOf = (
  type: 'message' | 'compaction',
  account: CacheAccount,
  output: number,
  model: string | null,
): JsonObject => ({
  ...{ type, ...promptUsage(account), output_tokens: output },
  ...(type === 'message' && { model }),
});
