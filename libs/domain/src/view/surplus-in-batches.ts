/**
 * Returns how many of `surplus` are removed, in steps of half of `kept`: each change of a request's prefix
 * invalidates the provider's prompt cache, so that changes are rare and large.
 */
export const surplusInBatches = (surplus: number, kept: number): number => {
  const batch = Math.max(1, Math.floor(kept / 2));
  return Math.max(0, Math.floor(surplus / batch) * batch);
};
