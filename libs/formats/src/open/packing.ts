/** Bytes needed to detect a compression. */
export const PACKING_BYTES = 4;

/** Returns the compression of a file by its first bytes; `undefined` for none of the common ones. */
export const packingOf = (start: Uint8Array): string | undefined => {
  const bytes = Buffer.from(start).toString('hex');
  return PACKINGS.find(([magic]) => bytes.startsWith(magic))?.[1];
};

const PACKINGS = [
  ['1f8b', 'gzip'],
  ['504b0304', 'zip'],
  ['28b52ffd', 'zstd'],
  ['425a68', 'bzip2'],
  ['fd377a58', 'xz'],
] as const;
