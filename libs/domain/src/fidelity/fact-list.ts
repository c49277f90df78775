import type { Message } from '../message/index.js';
import { attributedWords } from '../quotes/check-quotes.js';
import { linesOf, type Mention, mentionsIn, textOfAll, worthOf } from './fidelity.js';
import { keysOf } from './keys.js';

const FACTS_MAX = 40;
/** In UTF-16 units: a longer line is more likely data than a statement about a key. */
const FACT_MAX = 240;

/**
 * Returns one line per key that a summary lost and retained messages refer to, by name or by the last path segment:
 * the last line that had it, with its message id, highest weight first.
 */
export const factList = (
  covered: readonly Message[],
  summary: string,
  retained: readonly Message[],
): readonly string[] => {
  const known = keysIn([summary]);
  const named = withLastParts(keysIn(retained.map(textOfAll)));
  const byId = new Map(covered.map((message) => [message.id, message]));
  const facts = new Set<string>();
  for (const [key, mention] of weightiest(mentionsIn(covered))) {
    if (facts.size >= FACTS_MAX) break;
    if (known.has(key) || !(named.has(key) || named.has(lastPart(key)))) continue;
    const message = byId.get(mention.last);
    const line = message && lineWith(key, message);
    if (!line) continue;
    facts.add(`- ${line} [${mention.last}]`);
    for (const shown of keysOf(line).keys.keys()) known.add(shown);
  }
  return [...facts];
};

const weightiest = (mentions: ReadonlyMap<string, Mention>): readonly (readonly [string, Mention])[] =>
  [...mentions].sort(([a, one], [b, other]) => worthOf(other) - worthOf(one) || (a < b ? -1 : 1));

const keysIn = (texts: readonly string[]): Set<string> => {
  const keys = new Set<string>();
  for (const text of texts)
    for (const line of linesOf(text)) for (const key of keysOf(line).keys.keys()) keys.add(key);
  return keys;
};

const lastPart = (key: string): string => key.slice(key.lastIndexOf('/') + 1);
const withLastParts = (keys: ReadonlySet<string>): ReadonlySet<string> =>
  new Set([...keys].flatMap((key) => [key, lastPart(key)]));

/** Returns the first line of a message with the key, as one line of text; never one that resembles a user quote. */
const lineWith = (key: string, message: Message): string | undefined => {
  for (const line of linesOf(textOfAll(message))) {
    const text = line.replace(/[\s\p{Cc}\p{Surrogate}]+/gu, ' ').trim();
    if (text.length > FACT_MAX || !keysOf(text).keys.has(key)) continue;
    if (attributedWords(text).length === 0) return text;
  }
  return undefined;
};
