import type { Usage } from '@app/domain';
import { Tokens } from '@app/kernel';

/** Usage in OpenAI's terms, where cached tokens are part of the input. */
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

/** Tolerates invalid counts from a server. */
const count = (tokens: number | null | undefined): Tokens =>
  Number.isSafeInteger(tokens) && Number(tokens) >= 0 ? Tokens(Number(tokens)) : Tokens(0);
