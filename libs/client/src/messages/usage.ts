import type { Usage } from '../generated/types.js';

/** Tokens of an answer whose provider counts those of the cache among those of the input. */
type Counts = {
  readonly input: number;
  readonly cacheRead?: number | null | undefined;
  readonly cacheWrite?: number | null | undefined;
  readonly output: number;
};

/** Converts the counts of a provider. None is negative: some servers round each count. */
export const usageFrom = ({ input, cacheRead, cacheWrite, output }: Counts): Usage => ({
  inputTokens: Math.max(0, input - (cacheRead ?? 0) - (cacheWrite ?? 0)),
  cacheReadTokens: cacheRead ?? 0,
  cacheWriteTokens: cacheWrite ?? 0,
  outputTokens: output,
});
