import { ERROR_NAME, EXTENSION, tokenKeys, WEAK } from './token-keys.js';

/** Names, numbers and phrases of a line by which it could be asked for later, and how many plain words it has. */
export type LineKeys = { readonly keys: ReadonlyMap<string, number>; readonly words: number };

/** With fewer plain words in the line, names are a mere list. */
export const WORDS_MIN = 2;

/** Kinds of keys; URLs count as paths, and flags, hashes, issues and phrases as identifiers. */
export const KEY_KINDS = ['identifiers', 'paths', 'errors', 'numbers'] as const;
export type KeyKind = (typeof KEY_KINDS)[number];

export const kindOfKey = (key: string): KeyKind => {
  if (key.startsWith('"')) return 'identifiers';
  if (key.includes('/') || EXTENSION.test(key)) return 'paths';
  if (ERROR_NAME.test(key)) return 'errors';
  return /^[\d.]+$/.test(key) ? 'numbers' : 'identifiers';
};

const PHRASE = /`([^`]{3,80})`|"([^"]{4,80})"/g;
/** Names in backticks: their parts are found without the backticks. */
const NAME = /^[\w./@+:-]+$/;

/**
 * Returns the keys and words of a line. `line` must be short (a few hundred characters), which bounds the cost of the
 * patterns.
 */
export const keysOf = (line: string): LineKeys => {
  const keys = new Map<string, number>();
  const words = new Set<string>();
  addKeysOf(line, keys, words);
  return { keys, words: words.size };
};

/** Adds the keys and words of a line to those of other lines. */
export const addKeysOf = (line: string, keys: Map<string, number>, words?: Set<string>): void => {
  eachToken(line, (start, end) => {
    const found = tokenKeys(line, start, end);
    for (const [key, weight] of found.keys) keys.set(key, weight);
    if (words) for (const word of found.words) words.add(word);
  });
  eachPhrase(line, (key) => keys.set(key, WEAK));
};

/** The range of keys or plain words in a line, `end` exclusive. */
export type LinePiece = {
  readonly start: number;
  readonly end: number;
  readonly keys: readonly string[];
  readonly words: readonly string[];
};

/** The same keys and words by their places; phrases come after the pieces that they are made of. */
export const piecesOf = (line: string): readonly LinePiece[] => {
  const pieces: LinePiece[] = [];
  eachToken(line, (start, end) => {
    const { keys, words } = tokenKeys(line, start, end);
    if (keys.length > 0) pieces.push({ start, end, keys: keys.map(([key]) => key), words });
    else if (words.length > 0) pieces.push({ start, end, keys: NONE, words });
  });
  eachPhrase(line, (key, start, end) => pieces.push({ start, end, keys: [key], words: NONE }));
  return pieces;
};
const NONE: readonly never[] = [];

const eachToken = (line: string, visit: (start: number, end: number) => void): void => {
  for (let start = 0; start < line.length; ) {
    let end = start;
    while (end < line.length && !isBetween(line, end)) end += 1;
    if (end > start) visit(start, end);
    start = end + 1;
  }
};

const eachPhrase = (line: string, visit: (key: string, start: number, end: number) => void): void => {
  if (!line.includes('"') && !line.includes('`')) return;
  for (const match of line.matchAll(PHRASE)) {
    const [whole, code, phrase] = match;
    const text = (code ?? phrase ?? '').trim();
    if (/\s/.test(text) || (code !== undefined && !NAME.test(text)))
      visit(`"${text.toLowerCase()}`, match.index, match.index + whole.length);
  }
};

/** All that `\s` matches, quotes, brackets and punctuation. */
const SEPARATORS =
  '\t\n\v\f\r "\'`<>()[]{}|\\,;\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff';
/** Code units that separate tokens. */
const between = new Uint8Array(0x1_0000);
for (const separator of SEPARATORS) between[separator.charCodeAt(0)] = 1;
const isBetween = (line: string, at: number): boolean => between[line.charCodeAt(at)] === 1;
