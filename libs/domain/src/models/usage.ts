import type { Tokens } from '@app/kernel';

/** What a provider billed for one request. */
export type Usage = {
  readonly inputTokens: Tokens;
  readonly cacheReadTokens: Tokens;
  readonly cacheWriteTokens: Tokens;
  /** Of `cacheWriteTokens`, those that were written to stay for an hour: they cost more. Absent without any. */
  readonly cacheWrite1hTokens?: Tokens;
  readonly outputTokens: Tokens;
};
