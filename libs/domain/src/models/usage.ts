import type { Tokens } from '@app/kernel';

/** The billed tokens of one request. */
export type Usage = {
  readonly inputTokens: Tokens;
  readonly cacheReadTokens: Tokens;
  readonly cacheWriteTokens: Tokens;
  /** The part of `cacheWriteTokens` with a lifetime of one hour, at a higher price. Absent for 0. */
  readonly cacheWrite1hTokens?: Tokens;
  readonly outputTokens: Tokens;
};
