import { safeEnd } from '@app/kernel';
import { sentencesOf } from './lines.js';

/** A piece of what somebody wrote, word for word; `cut` where it goes on after that. */
export type Segment = { readonly text: string; readonly cut: boolean };

// What a line of Markdown cannot hold ends a segment, so that no character of one is ever replaced.
const UNQUOTABLE = /[\p{Cc}\p{Surrogate}\u2028\u2029]+/u;
const QUOTE_LINE = /^> (".*) \[([\x21-\x7e]{1,200})\]$/;
const BETWEEN = /(?<="(?: …)?) (?=")/;

/** The sentences of one line, each at most `max` UTF-16 units. */
export const segmentsOf = (line: string, max: number): readonly Segment[] =>
  line
    .split(UNQUOTABLE)
    .flatMap((part) => sentencesOf(part))
    .map((sentence) => shortened(sentence.trim(), max))
    .filter(({ text }) => text !== '');

const shortened = (text: string, max: number): Segment => {
  if (text.length <= max) return { text, cut: false };
  const end = safeEnd(text, max);
  const blank = text.lastIndexOf(' ', end);
  return { text: text.slice(0, blank > max / 2 ? blank : end), cut: true };
};

export const quoted = ({ text, cut }: Segment): string => (cut ? `"${text}" …` : `"${text}"`);

/** One line: what one message of the user says, in pieces, and its id. */
export const quoteLine = (quotes: readonly string[], id: string): string => `> ${quotes.join(' ')} [${id}]`;

/** The reverse of {@link quoteLine}; `undefined` for any other line. */
export const parseQuoteLine = (
  line: string,
): { readonly id: string; readonly segments: readonly Segment[] } | undefined => {
  const found = QUOTE_LINE.exec(line);
  if (!found?.[1] || !found[2] || UNQUOTABLE.test(line)) return undefined;
  const segments = found[1].split(BETWEEN).map((piece): Segment => {
    const cut = piece.endsWith('" …');
    return { text: piece.slice(1, cut ? -3 : -1), cut };
  });
  return { id: found[2], segments: segments.filter(({ text }) => text !== '') };
};
