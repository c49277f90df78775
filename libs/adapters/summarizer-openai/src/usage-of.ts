import type { Usage } from '@app/domain';
import { Tokens } from '@app/kernel';

/** What was billed, in OpenAI's terms: what came from the cache, or went to it, is part of the input there. */
type Billed = {
  readonly input: number | null | undefined;
  readonly cached: number | null | undefined;
  readonly cacheWritten: number | null | undefined;
  readonly output: number | null | undefined;
};

export const usageOf = ({ input, cached, cacheWritten, output }: Billed): Usage => {
  const cacheReadTokens = count(cached);
  const cacheWriteTokens = count(cacheWritten);
  return {
    inputTokens: Tokens(Math.max(0, count(input) - cacheReadTokens - cacheWriteTokens)),
    cacheReadTokens,
    cacheWriteTokens,
    outputTokens: count(output),
  };
};

/** What a server sends in the place of a count must not end the worker. */
const count = (tokens: number | null | undefined): Tokens =>
  Number.isSafeInteger(tokens) && Number(tokens) >= 0 ? Tokens(Number(tokens)) : Tokens(0);
