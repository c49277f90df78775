import type { Material } from '../material.js';
import { topicOf } from './topic.js';
import { worthOf } from './worth.js';

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
