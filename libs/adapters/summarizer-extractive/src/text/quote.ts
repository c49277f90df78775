import { type Segment, UNQUOTABLE } from '@app/domain';
import { safeEnd } from '@app/kernel';
import { sentencesOf } from './lines.js';

/** Columns of a pasted screen: no words, and room for many. Quotes are compared without regard to how many blanks there are. */
const GAP = /[ \t]{4,}/g;

/** The sentences of one line, each at most `max` UTF-16 units. */
export const segmentsOf = (line: string, max: number): readonly Segment[] =>
  line
    .split(UNQUOTABLE)
    .flatMap((part) => sentencesOf(part))
    .map((sentence) => shortened(sentence.trim().replace(GAP, ' '), max))
    .filter(({ text }) => text !== '');

const shortened = (text: string, max: number): Segment => {
  if (text.length <= max) return { text, cut: false };
  const end = safeEnd(text, max);
  const blank = text.lastIndexOf(' ', end);
  return { text: text.slice(0, blank > max / 2 ? blank : end), cut: true };
};
