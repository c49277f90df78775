import { PieceTable } from '@app/kernel';
import { endOfWord } from './ascii-words.js';
import { endOfAnyWord } from './words.js';

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
      const plain = endOfWord(text, at);
      const end = plain < 0 ? endOfAnyWord(text, at) : plain;
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
