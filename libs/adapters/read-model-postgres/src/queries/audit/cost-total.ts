import type { CostTotal } from '@app/ports';

/** Dollars as they are summed up in rows; nothing at all, rather than 0, where no token had a price. */
export const costOf = (
  nanoUsd: bigint | number | string,
  unpricedTokens: bigint | number | string,
): CostTotal => {
  const [amount, unpriced] = [Number(nanoUsd), Number(unpricedTokens)];
  return { nanoUsd: amount === 0 && unpriced > 0 ? null : amount, unpricedTokens: unpriced };
};
