/** Bytes of JSON's structure. All of them are ASCII, and no byte of a longer UTF-8 sequence is. */
export const QUOTE = 0x22;
export const BACKSLASH = 0x5c;
export const LINE_END = 0x0a;
export const COMMA = 0x2c;
export const COLON = 0x3a;
export const OPEN_OBJECT = 0x7b;
export const CLOSE_OBJECT = 0x7d;
export const OPEN_LIST = 0x5b;
export const CLOSE_LIST = 0x5d;

export const isBlank = (byte: number): boolean =>
  byte === 0x20 || byte === LINE_END || byte === 0x0d || byte === 0x09 || byte === 0;
export const opens = (byte: number): boolean => byte === OPEN_OBJECT || byte === OPEN_LIST;
export const closes = (byte: number): boolean => byte === CLOSE_OBJECT || byte === CLOSE_LIST;
