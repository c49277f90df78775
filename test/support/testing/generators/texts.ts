import fc from 'fast-check';
import { filler } from '../builders/index.js';

/**
 * Texts that are hard to split: surrogate pairs, combining marks, joined emoji, variation selectors. Only files in
 * test/e2e contain lone surrogates, since a request replaces them.
 */
const AWKWARD = ['👩‍👩‍👧‍👦', 'e\u0301\u0323', '𝒳𝒴', '❤️', 'ก็็็', '\u200d', ''] as const;

export const awkwardTexts = (): fc.Arbitrary<string> =>
  fc
    .array(fc.constantFrom(...AWKWARD, 'a', ' ', '\n', '</conversation-record>'), { maxLength: 12 })
    .map((parts) => parts.join(''));

/** Blank, short, awkward and long texts; `charactersMax` bounds the longest. */
export const texts = (charactersMax = 1_200): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 6, arbitrary: fc.integer({ min: 1, max: charactersMax }).map(filler) },
    { weight: 2, arbitrary: awkwardTexts() },
    { weight: 1, arbitrary: fc.constantFrom('', ' ', '\n\t ') },
  );

/** Texts much larger than anything else in a session. */
export const hugeTexts = (): fc.Arbitrary<string> => fc.integer({ min: 4_000, max: 12_000 }).map(filler);
