import { isBlank, LINE_END } from './json-bytes.js';

export const INDENT_MAX = 200;
export const NOTHING = Buffer.alloc(0);

export const endOfLine = (bytes: Buffer, from: number): number => {
  const at = bytes.indexOf(LINE_END, from);
  return at < 0 ? bytes.length : at;
};

/** Returns the start of the blanks on an incomplete last line; the end of the bytes without any. */
export const endOfDecided = (bytes: Buffer): number => {
  let at = bytes.length;
  while (
    at > 0 &&
    bytes.length - at < INDENT_MAX &&
    isBlank(bytes[at - 1] ?? 0) &&
    bytes[at - 1] !== LINE_END
  )
    at -= 1;
  return at > 0 && bytes[at - 1] === LINE_END ? at - 1 : bytes.length;
};

/** @param of the kind of the captured value. */
export const faultOf = (
  of: 'name' | 'member' | 'element',
  isTooLong: boolean,
  text: string | undefined,
): string => {
  const what = of === 'element' ? 'an element' : 'a member';
  if (isTooLong) return `holds ${what} that is too large`;
  return text === undefined
    ? `holds ${what} that is not UTF-8, or breaks off`
    : `holds ${what} that is not whole JSON`;
};

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
export const decoded = (parts: readonly Uint8Array[]): string | undefined => {
  try {
    return utf8.decode(Buffer.concat(parts));
  } catch {
    return undefined;
  }
};
