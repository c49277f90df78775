import type { Conversation } from '../facts/conversation.js';

/** The share of a key's words in the current topic, 0 to 1. */
export type Topic = (key: string) => number;

/** Maximum UTF-16 units of the last user text, and of each last model text and reasoning. */
const USER_MAX = 6_000;
const MODEL_MAX = 16_000;
const TEXT_MAX = 4_000;
const WORD_MIN = 3;
/** The words within names, too: `totalPrice`, `total_price` and `total-price` are two each. */
const WORD = /[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g;

/** Returns the topic at the end of the conversations; later ones come last. */
export const topicOf = (conversations: readonly Conversation[]): Topic => {
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
