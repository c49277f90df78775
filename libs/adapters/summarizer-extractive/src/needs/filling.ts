import type { Filling } from '../draft/fill.js';
import { vocabularyOf } from '../facts/candidates.js';
import type { Material } from '../material.js';
import type { Facts } from '../sections/facts.js';
import { topicOf } from './topic.js';
import { worthOf } from './worth.js';

/** What an earlier summary has kept was worth it then. */
const EARLIER = { weight: 1, last: -1, messages: 1, said: 1, isBesideSaid: false };

/** What the keys of a request are worth to its reader. */
export const fillingOf = (
  { covered, retained, vocabulary, focus, lineMax }: Material,
  { keys }: Facts,
): Filling => {
  const topic = topicOf([covered, retained]);
  const known = new Map<string, number>();
  const worth = (key: string): number => {
    const before = known.get(key);
    if (before !== undefined) return before;
    const use = vocabulary.uses.get(key) ?? EARLIER;
    const value = worthOf(use, { age: covered.age(use.last), topical: topic(key) });
    known.set(key, value);
    return value;
  };
  const inView = new Set(vocabularyOf(retained, lineMax).uses.keys());
  return { worth, focus, inView, keysOfLine: keys };
};
