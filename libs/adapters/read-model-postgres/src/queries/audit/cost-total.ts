import type { CostTotal } from '@app/ports';

/** Returns a sum of costs; without an amount, instead of 0, if no token had a price. */
export const costOf = (
  nanoUsd: bigint | number | string,
  unpricedTokens: bigint | number | string,
): CostTotal => {
  const [amount, unpriced] = [Number(nanoUsd), Number(unpricedTokens)];
  return { nanoUsd: amount === 0 && unpriced > 0 ? null : amount, unpricedTokens: unpriced };
};
