/** EventStoreDB's number of buckets. */
export const BUCKET_COUNT = 1_024;

const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** Returns the bucket of a key, from 0: FNV-1a over its UTF-8. */
export const bucketOf = (key: string): number => {
  let hash = FNV_OFFSET;
  for (const byte of Buffer.from(key)) hash = Math.imul(hash ^ byte, FNV_PRIME);
  // The low bits of FNV vary least: fold the high ones into them.
  return ((hash >>> 10) ^ hash) & (BUCKET_COUNT - 1);
};
