import { type Segment, type Strength, strengthOf } from '@app/domain';
import { bounded, rawLines } from '../text/lines.js';
import { segmentsOf } from '../text/quote.js';
import type { Utterance } from './conversation.js';

/** A verbatim piece of user text: the sentence at `place`, from 0, of `of` sentences. */
export type UserSegment = Segment & {
  readonly strength: Strength;
  readonly place: number;
  readonly of: number;
};
type Weighed = Omit<UserSegment, 'place' | 'of'>;
/** The user text of one message. */
export type UserWords = { readonly id: string; readonly segments: readonly UserSegment[] };

/** UTF-16 units read of a message, from both ends: the middle of a longer one is most likely pasted data. */
const READ_MAX = 16 * 1024;

/** The user's words in the order of the messages; messages without any are left out. */
export const userWordsOf = (utterances: readonly Utterance[], segmentMax: number): readonly UserWords[] => {
  const byMessage = new Map<number, UserWords & { readonly segments: UserSegment[] }>();
  for (const { id, at, text } of utterances) {
    const words = byMessage.get(at) ?? { id, segments: [] };
    byMessage.set(at, words);
    const spoken = bounded(text, READ_MAX).flatMap((part) => spokenIn(part, segmentMax));
    for (const [place, segment] of spoken.entries())
      words.segments.push({ ...segment, place, of: spoken.length });
  }
  return [...byMessage.values()].map(withoutMarks).filter(({ segments }) => segments.length > 0);
};

/** A number or a sign alone is dropped beside words; alone it is the answer. */
const HOLDS_A_WORD = /\p{L}{2}|\p{Lo}/u;
const withoutMarks = (words: UserWords): UserWords => {
  const telling = words.segments.filter(({ text }) => HOLDS_A_WORD.test(text));
  return telling.length > 0 ? { ...words, segments: telling } : words;
};

const spokenIn = (text: string, segmentMax: number): readonly Weighed[] => {
  const segments: Weighed[] = [];
  let inCode = false;
  for (const line of rawLines(text)) {
    const fence = line.trimStart().startsWith('```');
    if (fence) inCode = !inCode;
    // Pasted code can be part of a request, but nothing in it is an order.
    else for (const segment of segmentsOf(line, segmentMax)) segments.push(weighed(segment, inCode));
  }
  return segments;
};

const weighed = (segment: Segment, inCode: boolean): Weighed => ({
  ...segment,
  strength: inCode ? 0 : strengthOf(segment.text),
});
