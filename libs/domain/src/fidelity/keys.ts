import { isPlainWord } from './words.js';

/** Names, numbers and phrases of a line by which it could be asked for later, and how many plain words it has. */
export type LineKeys = { readonly keys: ReadonlyMap<string, number>; readonly words: number };

/** With fewer plain words beside them, names are a list that says nothing about them. */
export const WORDS_MIN = 2;

/** What a key names; addresses count as paths, and flags, hashes, issues and phrases as identifiers. */
export const KEY_KINDS = ['identifiers', 'paths', 'errors', 'numbers'] as const;
export type KeyKind = (typeof KEY_KINDS)[number];

export const kindOfKey = (key: string): KeyKind => {
  if (key.startsWith('"')) return 'identifiers';
  if (key.includes('/') || EXTENSION.test(key)) return 'paths';
  if (ERROR_NAME.test(key)) return 'errors';
  return /^[\d.]+$/.test(key) ? 'numbers' : 'identifiers';
};

const NAMED = 1;
const WEAK = 0.5;

const TOKEN = /[^\s"'`<>()[\]{}|\\,;]+/g;
const PHRASE = /`([^`]{3,80})`|"([^"]{4,80})"/g;
/** In back-ticks: then what it is made of is found without them. */
const NAME = /^[\w./@+:-]+$/;
const EXTENSION =
  /[\w-]\.(?:[cm]?[jt]sx?|jsonl?|mdx?|go|py|rs|[ch](?:pp)?|java|kt|rb|php|cs|swift|sh|sql|toml|ya?ml|xml|html?|s?css|svg|png|jpe?g|txt|log|lock|mod|env|proto|vue|ini|cfg|conf|diff|patch|lua|zig)$/i;
const HEX =
  /^(?=[0-9a-f-]*\d)(?=[0-9a-f-]*[a-f])[0-9a-f]{7,40}$|^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const ERROR_NAME =
  /^(?:[A-Z][A-Za-z]*(?:Error|Exception|Fault)|E[A-Z]{4,}|SIG[A-Z]{2,8}|[A-Z]{1,4}\d{3,5}|CVE-\d{4}-\d+)$/;
const IDENTIFIER = /[A-Za-z_$][\w$]{3,63}/g;
const INNER_CAPITAL_OR_UNDERSCORE = /[a-z0-9][A-Z]|[A-Za-z0-9]_[A-Za-z0-9]/;

/** `line` must be short (a few hundred characters): what is matched here is bounded by that alone. */
export const keysOf = (line: string): LineKeys => {
  const keys = new Map<string, number>();
  const words = new Set<string>();
  for (const [token] of line.matchAll(TOKEN)) addToken(token, keys, words);
  for (const phrase of line.matchAll(PHRASE)) addPhrase(phrase, keys);
  return { keys, words: words.size };
};

/** A piece of a line that names something or is a plain word: where it stands, and what it says. */
export type LinePiece = {
  readonly start: number;
  readonly end: number;
  readonly keys: ReadonlyMap<string, number>;
  readonly words: ReadonlySet<string>;
};

/** The same keys and words, by where in `line` they stand; phrases stand beside the pieces that they are made of. */
export const piecesOf = (line: string): readonly LinePiece[] => {
  const pieces: LinePiece[] = [];
  for (const match of line.matchAll(TOKEN)) {
    const keys = new Map<string, number>();
    const words = new Set<string>();
    addToken(match[0], keys, words);
    if (keys.size + words.size > 0)
      pieces.push({ start: match.index, end: match.index + match[0].length, keys, words });
  }
  for (const match of line.matchAll(PHRASE)) {
    const keys = new Map<string, number>();
    addPhrase(match, keys);
    if (keys.size > 0)
      pieces.push({ start: match.index, end: match.index + match[0].length, keys, words: new Set() });
  }
  return pieces;
};

const addToken = (token: string, keys: Map<string, number>, words: Set<string>): void => {
  const bare = token.replace(/[.:!?*]+$/, '').replace(/^[*]+/, '');
  if (isPlainWord(bare)) words.add(bare.toLowerCase());
  else addKeys(bare, keys, words);
};

const addPhrase = ([, code, phrase]: RegExpMatchArray, keys: Map<string, number>): void => {
  const text = (code ?? phrase ?? '').trim();
  if (/\s/.test(text) || (code !== undefined && !NAME.test(text))) keys.set(`"${text.toLowerCase()}`, WEAK);
};

/** The keys of a token that is no word, and the words in it beside them, as in `logger.warn`. */
const addKeys = (token: string, keys: Map<string, number>, words: Set<string>): void => {
  if (/^https?:\/\/./.test(token)) {
    keys.set(token.replace(/^https?:\/\/(?:www\.)?/, '').toLowerCase(), NAMED);
    return;
  }
  for (const part of token.split(/[:=]+/)) {
    if (part === '') continue;
    const path = pathKey(part);
    if (path !== undefined) keys.set(path, NAMED);
    else if (HEX.test(part)) keys.set(part.slice(0, 8).toLowerCase(), NAMED);
    else if (ERROR_NAME.test(part) || /^#\d{1,6}$/.test(part)) keys.set(part, NAMED);
    else if (/^--[a-z]/.test(part)) keys.set(part, WEAK);
    else if (/^[\d._]+$/.test(part) && part.replace(/\D/g, '').length >= 3)
      keys.set(part.replaceAll('_', ''), WEAK);
    else addIdentifiers(part, keys, words);
  }
};

const addIdentifiers = (part: string, keys: Map<string, number>, words: Set<string>): void => {
  const isPath = part.includes('/');
  for (const [name] of part.matchAll(IDENTIFIER))
    if (INNER_CAPITAL_OR_UNDERSCORE.test(name)) keys.set(name, NAMED);
    else if (!isPath && isPlainWord(name)) words.add(name.toLowerCase());
};

/** The last three segments of what looks like a path: whatever folder it is named from, it is the same file. */
const pathKey = (token: string): string | undefined => {
  const segments = token.split('/').filter((segment) => segment !== '' && !/^[.~]+$/.test(segment));
  const last = segments.at(-1);
  if (last === undefined || !/[A-Za-z]{2}/.test(token)) return undefined;
  const isPath =
    EXTENSION.test(last) || segments.length >= 3 || (token.startsWith('/') && segments.length === 2);
  return isPath ? segments.slice(-3).join('/') : undefined;
};
