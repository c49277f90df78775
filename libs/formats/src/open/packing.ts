/** How many bytes tell what a file is packed with. */
export const PACKING_BYTES = 4;

/** What a file is packed with, by its first bytes; `undefined` where it is not packed as files commonly are. */
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
