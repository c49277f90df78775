import type { Conversation } from '../facts/conversation.js';
import type { KeyUse } from '../facts/key-uses.js';
import type { Material } from '../material.js';

/** The worth of a key to the reader of a summary. */
export type Worth = (key: string) => number;

/** Keys kept by an earlier summary have this use. */
const EARLIER = { weight: 1, last: -1, messages: 1, said: 1, isBesideSaid: false };

/** Returns the expected need of the keys of a request. */
export const worthIn = ({ covered, retained, vocabulary }: Material): Worth => {
  const topic = topicOf([covered, retained]);
  const known = new Map<string, number>();
  return (key) => {
    const before = known.get(key);
    if (before !== undefined) return before;
    const use = vocabulary.uses.get(key) ?? EARLIER;
    const value = worthOf(use, { age: covered.age(use.last), topical: topic(key) });
    known.set(key, value);
    return value;
  };
};

/**
 * Factors for the likelihood that a key is needed later, by its uses: measured on recorded sessions with
 * leave-one-out (ADR 0027). Use in user or model text outweighs all others.
 */
const SAID = 5;
/** Keys from tool output count more in a line with a key from text. */
const BESIDE_SAID = 2;
/** Numbers and phrases. */
const WEAK = 0.25;
/** Factor of a key whose words are all in the current topic. */
const TOPICAL = 2;
/** It falls with the square root of the age. */
const AGE_TOKENS = 1_000;

/**
 * The expected need of a key that was last used `age` tokens ago, `topical` of whose words (0 to 1) are being talked
 * about. Only operations that IEEE 754 rounds exactly: the same on any machine.
 */
const worthOf = (
  { weight, messages, said, isBesideSaid }: KeyUse,
  { age, topical }: { readonly age: number; readonly topical: number },
): number => {
  const use = said > 0 ? SAID * Math.sqrt(1 + said) : Math.sqrt(messages) * (isBesideSaid ? BESIDE_SAID : 1);
  return ((weight < 1 ? WEAK : 1) * use * (1 + TOPICAL * topical)) / Math.sqrt(1 + age / AGE_TOKENS);
};

/** The share of a key's words in the current topic, 0 to 1. */
type Topic = (key: string) => number;

/** Maximum UTF-16 units of the last user text, and of each last model text and reasoning. */
const USER_MAX = 6_000;
const MODEL_MAX = 16_000;
const TEXT_MAX = 4_000;
const WORD_MIN = 3;
/** The words within names, too: `totalPrice`, `total_price` and `total-price` are two each. */
const WORD = /[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g;

/** Returns the topic at the end of the conversations; later ones come last. */
const topicOf = (conversations: readonly Conversation[]): Topic => {
  const words = new Set<string>();
  const note = (text: string): void => {
    for (const word of wordsIn(text)) words.add(word);
  };
  const user = conversations.flatMap(({ user: texts }) => texts.slice(-1)).at(-1);
  note(user?.text.slice(0, USER_MAX) ?? '');
  const model = conversations.flatMap(({ assistant, reasoning }) =>
    [...assistant.slice(-LAST), ...reasoning.slice(-LAST)].sort((a, b) => a.at - b.at),
  );
  let left = MODEL_MAX;
  for (const { text } of model.reverse()) {
    if (left <= 0) break;
    note(text.slice(0, TEXT_MAX));
    left -= Math.min(text.length, TEXT_MAX);
  }
  return (key) => {
    const parts = wordsIn(key);
    if (parts.length === 0 || words.size === 0) return 0;
    return parts.filter((part) => words.has(part)).length / parts.length;
  };
};
/** More texts than these are not needed to fill the room, unless they are mere words. */
const LAST = 200;

const wordsIn = (text: string): readonly string[] =>
  (text.match(WORD) ?? []).filter(({ length }) => length >= WORD_MIN).map((word) => word.toLowerCase());

/** Minimum tokens of a name with surrounding words. */
const NAME_TOKENS = 4;
/** Maximum names: with more room, whole lines fit. */
const NAMES_MAX = 600;

/** Returns the most valuable keys that could fit into `sizeMax` tokens; list order among equals. */
export const wantedOf = (
  keys: Iterable<string>,
  worth: (key: string) => number,
  sizeMax: number,
): ReadonlySet<string> => {
  const ranked = [...keys].map((key) => ({ key, worth: worth(key) })).sort((a, b) => b.worth - a.worth);
  const count = Math.min(NAMES_MAX, Math.ceil(sizeMax / NAME_TOKENS));
  return new Set(ranked.slice(0, count).map(({ key }) => key));
};
