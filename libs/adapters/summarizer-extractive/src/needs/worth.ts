import type { KeyUse } from '../facts/key-uses.js';

/**
 * How much likelier than others a key is needed later, by how it was used: measured on recorded sessions, each left out
 * once (ADR 0044). That the user or the model has said it outweighs everything else.
 */
const SAID = 5;
/** What tools alone have shown counts more on a line with something that was said. */
const BESIDE_SAID = 2;
/** Numbers and phrases. */
const WEAK = 0.25;
/** A key all of whose words are those of the talk that goes on counts this much more. */
const TOPICAL = 2;
/** It falls with the square root of the age. */
const AGE_TOKENS = 1_000;

/**
 * The expected need of a key that was last used `age` tokens ago, `topical` of whose words (0 to 1) are being talked
 * about. Only operations that IEEE 754 rounds exactly: the same on any machine.
 */
export const worthOf = (
  { weight, messages, said, isBesideSaid }: KeyUse,
  { age, topical }: { readonly age: number; readonly topical: number },
): number => {
  const use = said > 0 ? SAID * Math.sqrt(1 + said) : Math.sqrt(messages) * (isBesideSaid ? BESIDE_SAID : 1);
  return ((weight < 1 ? WEAK : 1) * use * (1 + TOPICAL * topical)) / Math.sqrt(1 + age / AGE_TOKENS);
};
