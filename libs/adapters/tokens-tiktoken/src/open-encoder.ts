import type { Encode } from './count-tokens.js';
import { loadVocabulary } from './vocabulary.js';
import { WordCounts } from './word-counts.js';

/** Loads the vocabulary. Uses `encode_ordinary`, which treats special tokens as text; `encode` throws. */
export const openEncoder = (): Encode => {
  const vocabulary = loadVocabulary();
  const words = new WordCounts((text) => vocabulary.encode_ordinary(text).length);
  return (piece) => words.count(piece);
};
