import { contentWords } from '@app/domain';

/** The factor of a line for words shared with the instructions: 1 to 2.5. */
export type Focus = (line: string) => number;

const PER_WORD = 0.5;
const WORDS_MAX = 3;
/** UTF-16 units read of each text. */
const READ_MAX = 4_000;

/** Weighs lines by the instructions of the compaction and its context lines; without any, all weigh the same. */
export const focusOn = (texts: readonly string[]): Focus => {
  const wanted = new Set(texts.flatMap((text) => [...contentWords(text.slice(0, READ_MAX))]));
  if (wanted.size === 0) return () => 1;
  return (line) => {
    let shared = 0;
    for (const word of contentWords(line)) if (wanted.has(word)) shared += 1;
    return 1 + PER_WORD * Math.min(WORDS_MAX, shared);
  };
};
