import { PieceTable } from '@app/kernel';
import { boundaryFrom, endOfWord } from './ascii-words.js';

/** Longer words hardly come again. In UTF-16 units. */
const WORD_MAX = 48;
/** Sample of words, and maximum of new ones: beyond it the text is encoded as a whole, for the given characters. */
const LOOKED_AT = 512;
const NEW_MAX = 64;
const PLAIN_CHARACTERS = 16_384;

/**
 * Counts tokens word by word: no token crosses a word boundary of the vocabulary's pattern, so that each word is
 * counted once. Words of other scripts are left to the vocabulary.
 */
export class WordCounts {
  private readonly known = new PieceTable<number>(1 << 16);
  private fresh = 0;

  /** @param encode how many tokens a text becomes, and the same for each of its words. */
  constructor(private readonly encode: (text: string) => number) {}

  /** Returns the same number as `encode` for the whole text; throws like `encode`. */
  count(text: string): number {
    let tokens = 0;
    let looked = 0;
    this.fresh = 0;
    for (let at = 0; at < text.length; ) {
      let end = endOfWord(text, at);
      if (end < 0) {
        end = boundaryFrom(text, beyond(text, at));
        tokens += this.encode(text.slice(at, end));
      } else if (end - at > WORD_MAX) tokens += this.encode(text.slice(at, end));
      else tokens += this.known.through(text, at, end, this.learn);
      at = end;
      looked += 1;
      if (looked < LOOKED_AT) continue;
      if (this.fresh > NEW_MAX) {
        end = boundaryFrom(text, at + PLAIN_CHARACTERS);
        tokens += this.encode(text.slice(at, end));
        at = end;
      }
      looked = 0;
      this.fresh = 0;
    }
    return tokens;
  }

  private readonly learn = (word: string): number => {
    this.fresh += 1;
    return this.encode(word);
  };
}

/** Behind the first character beyond ASCII. */
const beyond = (text: string, from: number): number => {
  let at = from;
  while (text.charCodeAt(at) < 128) at += 1;
  return at + 1;
};
