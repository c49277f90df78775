import type { Encode } from './count-tokens.js';
import { loadVocabulary } from './vocabulary.js';
import { WordCounts } from './word-counts.js';

/** Loads the vocabulary. Only `encode_ordinary` takes special tokens for what they are here, text of somebody; `encode` throws. */
export const openEncoder = (): Encode => {
  const vocabulary = loadVocabulary();
  const words = new WordCounts((text) => vocabulary.encode_ordinary(text).length);
  return (piece) => words.count(piece);
};
