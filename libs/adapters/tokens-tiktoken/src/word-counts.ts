import { PieceTable } from '@app/kernel';
import type { Encode } from './count-tokens.js';
import { Vocabulary } from './vocabulary.js';
import { endOfWord } from './words.js';

/** Longer words hardly come again. In UTF-16 units. */
const WORD_MAX = 48;

/**
 * Counts tokens word by word: no token crosses a word boundary of the vocabulary's pattern, so that each word is
 * counted once.
 */
export class WordCounts {
  private readonly known = new PieceTable<number>(1 << 16);

  /** @param countWord how many tokens a word becomes. */
  constructor(private readonly countWord: (word: string) => number) {}

  count(text: string): number {
    let tokens = 0;
    for (let at = 0; at < text.length; ) {
      const end = endOfWord(text, at);
      tokens +=
        end - at > WORD_MAX
          ? this.countWord(text.slice(at, end))
          : this.known.through(text, at, end, this.countWord);
      at = end;
    }
    return tokens;
  }

  /** Drops all words from memory. */
  forget(): void {
    this.known.forget();
  }
}

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
