import type { Filling } from './draft/fill.js';
import { vocabularyOf } from './facts/candidates.js';
import type { Material } from './material.js';
import type { Worth } from './needs/expected-need.js';
import type { Facts } from './sections/facts.js';

/** Returns the criteria for choosing lines among all sections. */
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
