import fc from 'fast-check';
import { boundaryFrom, endOfWord } from '../src/ascii-words.js';
import { loadVocabulary } from '../src/vocabulary.js';
import { WordCounts } from '../src/word-counts.js';

/** Guarantee: the sum of the words equals tiktoken's count of the whole text. */
describe('counting word by word', () => {
  const vocabulary = loadVocabulary();
  afterAll(() => vocabulary.free());
  const plainly = (text: string): number => vocabulary.encode_ordinary(text).length;

  const piece = fc.oneof(
    { weight: 4, arbitrary: fc.string({ unit: 'binary-ascii', maxLength: 4 }) },
    {
      weight: 8,
      arbitrary: fc.constantFrom(
        ...['the', 'HTML', 'aB', "'s", "'RE", "'l", "'", '12', '1234', ' ', '  ', '\t', '\n', '\r\n'],
        ...['/', '//', '{', '"', '.', '\u0000', '\u001f', '\u007f', '\v', '\f'],
      ),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        ...['é', 'ſ', "'ſ", 'Ж', '中', '\u0301', '\u0085', '\u00a0', '\u2028', '\ufeff', '٣', '—', '😀'],
        '\ud83d',
      ),
    },
  );
  const texts = fc.array(piece, { maxLength: 80 }).map((pieces) => pieces.join(''));

  it('equals tiktoken for any adjacent characters', () => {
    const words = new WordCounts(plainly);
    fc.assert(
      fc.property(texts, (text) => expect(words.count(text)).toBe(plainly(text))),
      { numRuns: 3_000 },
    );
  });

  it('equals tiktoken for texts of distinct words beyond the cache size', () => {
    const words = new WordCounts(plainly);
    const name = (at: number): string =>
      ` ${at.toString(26).replace(/\d/g, (digit) => 'qrstuvwxyz'[+digit] ?? '')}`;
    const text = Array.from({ length: 150_000 }, (_, at) => name(at * 7)).join('');
    expect(words.count(text)).toBe(plainly(text));
    const one = Array.from({ length: 70_000 }, (_, at) => name(at * 11));
    for (let at = 0; at < one.length; at += 50) words.count(one.slice(at, at + 50).join(''));
    expect(words.count(text)).toBe(plainly(text));
  });

  it('splits only where the counts of both sides add up', () =>
    fc.assert(
      fc.property(texts, fc.nat({ max: 40 }), (text, from) => {
        for (const at of [boundaryFrom(text, Math.min(from, text.length)), endOfWord(`${text} `, 0)])
          if (at > 0 && at < text.length)
            expect(plainly(text.slice(0, at)) + plainly(text.slice(at))).toBe(plainly(text));
      }),
      { numRuns: 1_000 },
    ));
});
