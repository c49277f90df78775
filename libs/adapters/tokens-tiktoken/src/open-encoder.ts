import type { Encode } from './count-tokens.js';
import { Vocabulary } from './vocabulary.js';
import { WordCounts } from './word-counts.js';

/** Loads the vocabulary. Special tokens count as text. */
export const openEncoder = (): Encode => {
  const vocabulary = Vocabulary.load();
  const words = new WordCounts((word) => vocabulary.count(word));
  return (piece) => words.count(piece);
};
