import { PieceTable } from '@app/kernel';
import { isPlainWord } from './words.js';

/** The meaning of a token: keys with their weights, and plain words. */
export type TokenKeys = {
  readonly keys: readonly (readonly [key: string, weight: number])[];
  readonly words: readonly string[];
};

const NAMED = 1;
export const WEAK = 0.5;

/** Cache of tokens, because a session repeats them. */
const tokenCache = new PieceTable<TokenKeys>(1 << 14);
/** Longer ones hardly come again. In UTF-16 units. */
const TOKEN_MAX = 64;

/**
 * Returns the meaning of the token of a line from `start` to `end`. Tokens are separated by blanks, quotes, brackets
 * and commas.
 */
export const tokenKeys = (line: string, start: number, end: number): TokenKeys =>
  end - start > TOKEN_MAX ? whatIs(line.slice(start, end)) : tokenCache.through(line, start, end, whatIsOwn);

/** A string that was cut out of a text holds on to all of it. */
const whatIsOwn = (token: string): TokenKeys => whatIs(String(JSON.parse(JSON.stringify(token))));

const whatIs = (token: string): TokenKeys => {
  const bare = token.replace(/[.:!?*]+$/, '').replace(/^[*]+/, '');
  if (isPlainWord(bare)) return { keys: NONE, words: [bare.toLowerCase()] };
  const keys = new Map<string, number>();
  const words = new Set<string>();
  addKeys(bare, keys, words);
  if (keys.size + words.size === 0) return NOTHING;
  return { keys: keys.size === 0 ? NONE : [...keys], words: words.size === 0 ? NONE : [...words] };
};
const NONE: readonly never[] = [];
const NOTHING: TokenKeys = { keys: NONE, words: NONE };

export const EXTENSION =
  /[\w-]\.(?:[cm]?[jt]sx?|jsonl?|mdx?|go|py|rs|[ch](?:pp)?|java|kt|rb|php|cs|swift|sh|sql|toml|ya?ml|xml|html?|s?css|svg|png|jpe?g|txt|log|lock|mod|env|proto|vue|ini|cfg|conf|diff|patch|lua|zig)$/i;
const HEX =
  /^(?=[0-9a-f-]*\d)(?=[0-9a-f-]*[a-f])[0-9a-f]{7,40}$|^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
export const ERROR_NAME =
  /^(?:[A-Z][A-Za-z]*(?:Error|Exception|Fault)|E[A-Z]{4,}|SIG[A-Z]{2,8}|[A-Z]{1,4}\d{3,5}|CVE-\d{4}-\d+)$/;
const IDENTIFIER = /[A-Za-z_$][\w$]{3,63}/g;
const INNER_CAPITAL_OR_UNDERSCORE = /[a-z0-9][A-Z]|[A-Za-z0-9]_[A-Za-z0-9]/;

/** Adds the keys of a token that is not a plain word, and the words in it, as in `logger.warn`. */
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

/** Returns the last three segments of a path, so that a file has the same key from every folder. */
const pathKey = (token: string): string | undefined => {
  const segments = token.split('/').filter((segment) => segment !== '' && !/^[.~]+$/.test(segment));
  const last = segments.at(-1);
  if (last === undefined || !/[A-Za-z]{2}/.test(token)) return undefined;
  const isPath =
    EXTENSION.test(last) || segments.length >= 3 || (token.startsWith('/') && segments.length === 2);
  return isPath ? segments.slice(-3).join('/') : undefined;
};
