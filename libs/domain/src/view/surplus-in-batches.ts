/**
 * Returns how many of `surplus` go, in steps of half of `kept`: each change of the older part of a request costs the
 * provider's prompt cache, so that many go at once and then none for a while.
 */
export const surplusInBatches = (surplus: number, kept: number): number => {
  const batch = Math.max(1, Math.floor(kept / 2));
  return Math.max(0, Math.floor(surplus / batch) * batch);
};
