import type { KeyUse } from '../facts/key-uses.js';

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
export const worthOf = (
  { weight, messages, said, isBesideSaid }: KeyUse,
  { age, topical }: { readonly age: number; readonly topical: number },
): number => {
  const use = said > 0 ? SAID * Math.sqrt(1 + said) : Math.sqrt(messages) * (isBesideSaid ? BESIDE_SAID : 1);
  return ((weight < 1 ? WEAK : 1) * use * (1 + TOPICAL * topical)) / Math.sqrt(1 + age / AGE_TOKENS);
};
