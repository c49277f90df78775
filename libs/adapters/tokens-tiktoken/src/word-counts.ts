import { PieceTable } from '@app/kernel';
import { boundaryFrom, endOfWord } from './ascii-words.js';

/** Longer words hardly come again. In UTF-16 units. */
const WORD_MAX = 48;
/** Of so many words, if more than this are new, words are no use: the text is encoded as it is, for so many characters. */
const LOOKED_AT = 512;
const NEW_MAX = 64;
const PLAIN_CHARACTERS = 16_384;

/**
 * Tokens of texts, word by word: no token goes over the end of a word of the vocabulary's pattern, so that what a word
 * comes to is counted once, wherever it stands. What its pattern makes of other scripts is left to the vocabulary.
 */
export class WordCounts {
  private readonly known = new PieceTable<number>(1 << 16);
  private fresh = 0;

  /** @param encode how many tokens a text becomes, and the same for each of its words. */
  constructor(private readonly encode: (text: string) => number) {}

  /** As many as `encode` makes of all of `text`; it may throw as that does. */
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
