import type { Filling } from '../draft/fill.js';
import { vocabularyOf } from '../facts/candidates.js';
import type { Material } from '../material.js';
import type { Facts } from '../sections/facts.js';
import { topicOf } from './topic.js';
import { worthOf } from './worth.js';

/** What an earlier summary has kept was worth it then. */
const EARLIER = { weight: 1, last: -1, messages: 1, said: 1, isBesideSaid: false };

/** What a key of a request is worth to its reader. */
export type Worth = (key: string) => number;

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

export const fillingOf = (
  { retained, focus, lineMax, vocabulary }: Material,
  worth: Worth,
  { keys }: Facts,
): Filling => ({
  worth,
  isKnown: (key) => vocabulary.uses.get(key) !== undefined,
  focus,
  inView: new Set(vocabularyOf(retained, lineMax).uses.keys()),
  keysOfLine: keys,
});
