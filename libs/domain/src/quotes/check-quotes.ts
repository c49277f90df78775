import { attributedWords } from './attribution.js';
import { parseQuoteLine } from './quote-line.js';
import { comparable, knownId, type QuoteCheck, type Said } from './said.js';

/** Where the writer of a quote has left something out. */
const LEFT_OUT = /…|\.{3}|\[…\]/;
const BLOCK_QUOTE = /^\s{0,3}>\s?(.*)$/;
const AROUND = /^["“]|["”]$/g;

type Quote = { readonly id: string | undefined; readonly words: readonly string[] };

/**
 * Looks up every quote of the user in the log: a quote line in the message that it names; another block quote, and
 * words that a sentence says to be the user's, in all that the user said. What a tool returned is nobody's word,
 * whoever it says has spoken.
 */
export const checkQuotes = (summary: string, said: Said): QuoteCheck => {
  const everything = [...said.words.values()].flat();
  const isFounded = ({ id, words }: Quote): boolean => {
    const texts = id === undefined ? everything : (said.words.get(id) ?? []);
    return words.every((piece) => texts.some((text) => text.includes(piece)));
  };
  const quotes = quotesIn(summary);
  return {
    checked: quotes.length,
    unfounded: quotes
      .filter((quote) => !isFounded(quote))
      .map(({ id }) => (id === undefined ? null : knownId(id, said))),
  };
};

const quotesIn = (summary: string): readonly Quote[] => summary.split('\n').flatMap(quotesOfLine);

const quotesOfLine = (line: string): readonly Quote[] => {
  const quote = parseQuoteLine(line);
  if (quote) return [{ id: quote.id, words: quote.segments.flatMap(({ text }) => piecesOf(text)) }];
  const block = BLOCK_QUOTE.exec(line)?.[1]?.trim();
  if (block !== undefined) {
    const words = piecesOf(block.replace(AROUND, ''));
    return words.length > 0 ? [{ id: undefined, words }] : [];
  }
  return attributedWords(line).map((words) => ({ id: undefined, words: piecesOf(words) }));
};

/** The parts of a quote that stand in one piece in what is quoted. */
const piecesOf = (text: string): readonly string[] =>
  text
    .split(LEFT_OUT)
    .map(comparable)
    .filter((piece) => piece !== '');
