import { parseQuoteLine } from './quote-line.js';
import { comparable, type KnownUserText, knownId, type QuoteCheck } from './user-text.js';

/** Ellipses in a quote. */
const LEFT_OUT = /…|\.{3}|\[…\]/;
const BLOCK_QUOTE = /^\s{0,3}>\s?(.*)$/;
const AROUND = /^["“]|["”]$/g;

type Quote = { readonly id: string | undefined; readonly words: readonly string[] };

/**
 * Checks every user quote against the log: a quote line in the cited message; other block quotes and attributed words
 * in all user text. Tool output never counts as user text.
 */
export const checkQuotes = (summary: string, said: KnownUserText): QuoteCheck => {
  const lines = checkedLines(summary, said);
  return {
    checked: lines.reduce((sum, { quotes }) => sum + quotes.length, 0),
    unfounded: lines.flatMap(({ unfounded }) =>
      unfounded.map(({ id }) => (id === undefined ? null : knownId(id, said))),
    ),
  };
};

/** A summary with a mark behind each line that has an unfounded quote, and how many marks were added. */
export const markUnfounded = (
  summary: string,
  said: KnownUserText,
): { readonly text: string; readonly marks: number } => {
  let marks = 0;
  const lines = checkedLines(summary, said).map(({ line, unfounded }) => {
    if (unfounded.length === 0 || line.endsWith(UNFOUNDED_MARK)) return line;
    marks += 1;
    return `${line}${UNFOUNDED_MARK}`;
  });
  return { text: lines.join('\n'), marks };
};

/** The mark after a line with an unfounded quote: neither models nor this engine treat the line as user text. */
const UNFOUNDED_MARK = ' (not in the log: unconfirmed)';
/** Upper bound of the tokens of a mark, for all known tokenizers. */
export const UNFOUNDED_MARK_TOKENS = 14;

type CheckedLine = {
  readonly line: string;
  readonly quotes: readonly Quote[];
  readonly unfounded: readonly Quote[];
};
const checkedLines = (summary: string, said: KnownUserText): readonly CheckedLine[] => {
  const isFounded = foundedIn(said);
  return summary.split('\n').map((line) => {
    const quotes = quotesOfLine(line);
    return { line, quotes, unfounded: quotes.filter((quote) => !isFounded(quote)) };
  });
};

const foundedIn = (said: KnownUserText): ((quote: Quote) => boolean) => {
  const everything = [...said.words.values()].flat();
  return ({ id, words }) => {
    const texts = id === undefined ? everything : (said.words.get(id) ?? []);
    return words.every((piece) => texts.some((text) => text.includes(piece)));
  };
};

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

/** Returns the parts of a quote between ellipses. */
const piecesOf = (text: string): readonly string[] =>
  text
    .split(LEFT_OUT)
    .map(comparable)
    .filter((piece) => piece !== '');

const SAYING =
  'said|says|saying|asked|asks|told|tells|wrote|writes|wanted|wants|requested|demanded|insisted|stated|replied|' +
  'answered|instructed|ordered|confirmed|approved|authori[sz]ed|allowed|permitted|agreed|words';
/** The user, a word of saying, and words in quotation marks, in this order and on one line. */
const ATTRIBUTION = new RegExp(
  `\\busers?\\b[^"“”\\n]{0,60}?\\b(?:${SAYING})\\b[^"“”\\n]{0,60}["“]([^"“”\\n]{2,2000})["”]`,
  'giu',
);

/** Returns words attributed to the user without a cited message: `The user said "…"`. */
export const attributedWords = (line: string): readonly string[] =>
  [...line.matchAll(ATTRIBUTION)].flatMap(([, words]) => (words === undefined ? [] : [words]));
