import type { Encode } from './count-tokens.js';
import { Vocabulary } from './vocabulary.js';
import { WordCounts } from './word-counts.js';

/** Encodes texts; `forget` drops the words that it keeps with their counts. */
export type Encoder = { readonly encode: Encode; readonly forget: () => void };

/** Loads the vocabulary. Special tokens count as text. */
export const openEncoder = (): Encoder => {
  const vocabulary = Vocabulary.load();
  const words = new WordCounts((word) => vocabulary.count(word));
  return {
    encode: (piece) => words.count(piece),
    forget: () => {
      words.forget();
      vocabulary.forget();
    },
  };
};
