import type { TokenCount } from '@app/testing/providers';

/** How one provider splits text; each number is of its own tokenizer and of nobody else's. */
export type Tokenizer = {
  /** Letters that make one token of a word. */
  readonly lettersPerToken: number;
  /** Tokens of one mark that is neither letter, digit nor blank: braces, quotes, operators. */
  readonly tokensPerMark: number;
  /** Digits that make one token. */
  readonly digitsPerToken: number;
};

/** Three tokenizers that count 10 to 40 % more than ours on prose, and differ from each other on code and JSON. */
export const TOKENIZERS = {
  dense: { lettersPerToken: 4.2, tokensPerMark: 0.7, digitsPerToken: 2 },
  plain: { lettersPerToken: 4.7, tokensPerMark: 0.6, digitsPerToken: 3 },
  wordy: { lettersPerToken: 3.9, tokensPerMark: 0.8, digitsPerToken: 1.5 },
} as const satisfies Readonly<Record<string, Tokenizer>>;

const PIECE = /[A-Za-z]+|\d+|[^\sA-Za-z\d]/g;

/** Counts a text as the provider does: linear, and a function of the text alone. */
export const countBy =
  ({ lettersPerToken, tokensPerMark, digitsPerToken }: Tokenizer): TokenCount =>
  (text) => {
    let tokens = 0;
    for (const [piece] of text.matchAll(PIECE)) {
      const first = piece.charCodeAt(0);
      if (first >= 48 && first <= 57) tokens += Math.ceil(piece.length / digitsPerToken);
      else if (/[A-Za-z]/.test(piece)) tokens += Math.max(1, piece.length / lettersPerToken);
      else tokens += tokensPerMark;
    }
    return Math.ceil(tokens);
  };
