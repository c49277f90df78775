import { siblingRanges } from '@app/proof';

/** Bytes of proof for each event of a long session: at most 3 % of the size of an event. */
const BYTES_AN_EVENT = 16;
/** Bytes of a hash as JSON. */
const HASH_BYTES = 47;
/** Proofs up to this size need no saving. */
const SMALL_BYTES = 16_384;

/**
 * Returns the distance of the leaves of a session whose places are proven one by one. In a busy log neighbouring leaves belong to
 * other sessions, and each place takes hashes of its own: then the others are proven by the chain in the leaves.
 *
 * @param indexes places of the session's leaves. @param others places of other leaves in the bundle.
 */
export const pickDistance = (indexes: readonly number[], others: readonly number[], size: number): number => {
  const allowed = Math.max(SMALL_BYTES, indexes.length * BYTES_AN_EVENT);
  for (let every = 1; every < indexes.length; every *= 4) {
    const placed = indexes.filter((_, at) => (indexes.length - 1 - at) % every === 0);
    const all = [...placed, ...others].sort((a, b) => a - b);
    if (siblingRanges(all, size).length * HASH_BYTES + placed.length * 3 <= allowed) return every;
  }
  return Math.max(1, indexes.length);
};
