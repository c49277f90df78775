/** Decodes the bytes of a file: one of the three encodings that a byte order mark can announce. */
export type Encoding = {
  readonly name: string;
  /** Size of the byte order mark in bytes. */
  readonly markBytes: number;
  /** Bytes per code unit: line ends are aligned to it. */
  readonly unitBytes: 1 | 2;
  readonly lineEnd: Uint8Array;
  /** Returns `undefined` for bytes that are not text of this encoding. */
  readonly decode: (bytes: Uint8Array) => string | undefined;
};

/** The longest mark; fewer bytes decide nothing, unless the file has no more. */
export const MARK_BYTES_MAX = 3;

/** The encoding that the first bytes of a file announce; without a mark it is UTF-8. */
export const encodingOf = (start: Uint8Array): Encoding => {
  if (start[0] === 0xff && start[1] === 0xfe) return UTF_16_LE;
  if (start[0] === 0xfe && start[1] === 0xff) return UTF_16_BE;
  if (start[0] === 0xef && start[1] === 0xbb && start[2] === 0xbf) return { ...UTF_8, markBytes: 3 };
  return UTF_8;
};

// `fatal`, so that a replacement character never passes for content; marks are cut off by hand, once a file.
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const utf16 = new TextDecoder('utf-16le', { fatal: true, ignoreBOM: true });

const orUndefined = (decode: () => string): string | undefined => {
  try {
    return decode();
  } catch {
    return undefined;
  }
};

const UTF_8: Encoding = {
  name: 'UTF-8',
  markBytes: 0,
  unitBytes: 1,
  lineEnd: Uint8Array.of(0x0a),
  decode: (bytes) => orUndefined(() => utf8.decode(bytes)),
};
const UTF_16_LE: Encoding = {
  name: 'UTF-16',
  markBytes: 2,
  unitBytes: 2,
  lineEnd: Uint8Array.of(0x0a, 0x00),
  decode: (bytes) => orUndefined(() => utf16.decode(bytes)),
};
const UTF_16_BE: Encoding = {
  name: 'UTF-16',
  markBytes: 2,
  unitBytes: 2,
  lineEnd: Uint8Array.of(0x00, 0x0a),
  decode: (bytes) => orUndefined(() => utf16.decode(Buffer.from(bytes).swap16())),
};
