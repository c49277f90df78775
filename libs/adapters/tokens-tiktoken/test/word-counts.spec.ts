import fc from 'fast-check';
import { get_encoding } from 'tiktoken';
import { openEncoder, WordCounts } from '../src/word-counts.js';

/** Guarantee: the sum of the words equals tiktoken's count of the whole text. */
describe('counting word by word', () => {
  const { encode: count } = openEncoder();
  const vocabulary = get_encoding('o200k_base');
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
    // Words of many merges.
    { weight: 1, arbitrary: fc.string({ unit: fc.constantFrom(...'aeinrtXé中'), maxLength: 200 }) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(fc.constantFrom('a', 'ab', ' ', '\n', '=-', '/\n', 'é', '中', '😀', '👨\u200d👩'), fc.nat(300))
        .map(([unit, times]) => unit.repeat(times)),
    },
  );
  const texts = fc.array(piece, { maxLength: 80 }).map((pieces) => pieces.join(''));

  it('equals tiktoken for any adjacent characters', () =>
    fc.assert(
      fc.property(texts, (text) => expect(count(text)).toBe(plainly(text))),
      { numRuns: 3_000 },
    ));

  it('equals tiktoken for texts of distinct words beyond the cache size', () => {
    const name = (at: number): string =>
      ` ${at.toString(26).replace(/\d/g, (digit) => 'qrstuvwxyz'[+digit] ?? '')}`;
    const text = Array.from({ length: 150_000 }, (_, at) => name(at * 7)).join('');
    expect(count(text)).toBe(plainly(text));
    const one = Array.from({ length: 70_000 }, (_, at) => name(at * 11));
    for (let at = 0; at < one.length; at += 50) count(one.slice(at, at + 50).join(''));
    expect(count(text)).toBe(plainly(text));
  });

  it('equals tiktoken for every character but ideographs and syllables, within words and between them', () => {
    const alike = /[\p{C}\p{Unified_Ideograph}\p{Script=Hangul}]/u;
    const all = Array.from({ length: 0x11_0000 }, (_, point) => String.fromCodePoint(point));
    const points = all.filter((point) => !alike.test(point));
    for (let from = 0; from < points.length; from += 64) {
      const text = points
        .slice(from, from + 64)
        .map((point) => `a${point}B ${point}s!${point} `)
        .join('');
      expect(count(text)).toBe(plainly(text));
    }
  });

  it('leaves no character of a word in memory once it forgets', () => {
    const words = new WordCounts(() => 1);
    const numbersIn = (value: object): readonly number[] =>
      Object.values(value).flatMap((part) =>
        ArrayBuffer.isView(part) ? [...(part as Uint16Array)] : Object(part) === part ? numbersIn(part) : [],
      );
    const codes = [...'Ωmega'].map((one) => one.charCodeAt(0));
    words.count('Ωmega');
    expect(numbersIn(words)).toEqual(expect.arrayContaining(codes));
    words.forget();
    expect(numbersIn(words)).not.toContain(codes[0]);
  });
});
