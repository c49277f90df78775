import fc from 'fast-check';
import { get_encoding } from 'tiktoken';
import { RUN_MAX } from '../src/count-tokens.js';
import { openTokenCounter } from '../src/open-token-counter.js';
import { splitLongRuns } from '../src/split-long-runs.js';

/** Guarantee: equals tiktoken for every text that tiktoken can encode. */
describe('the token counter', () => {
  const counter = openTokenCounter();
  const vocabulary = get_encoding('o200k_base');
  const plainly = (text: string): number => vocabulary.encode_ordinary(text).length;
  afterAll(() => vocabulary.free());

  const word = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.constantFrom(
      'the',
      'función',
      'こんにちは',
      '漢字',
      'été',
      '👩‍👩‍👧',
      'a_b',
      '=>',
      '// ',
      '0x1F',
      '\n\n',
      '\t',
    ),
  );
  const texts = fc.array(word, { maxLength: 60 }).map((words) => words.join(' '));

  it('counts texts without long runs exactly like tiktoken', () =>
    fc.assert(
      fc.property(texts, (text) => expect(counter.count(text)).toBe(plainly(text))),
      { numRuns: 500 },
    ));

  it('counts a repeated text the same', () =>
    fc.assert(fc.property(texts, (text) => expect(counter.count(text)).toBe(counter.count(text)))));

  it('returns 0 for an empty text', () => expect(counter.count('')).toBe(0));

  it('counts special tokens as text', () => {
    expect(counter.count('<|endoftext|>')).toBe(plainly('<|endoftext|>'));
    expect(counter.count('<|endoftext|>')).toBeGreaterThan(1);
  });

  it('counts a lone surrogate as U+FFFD', () =>
    expect(counter.count('a\ud83d b\udc00')).toBe(counter.count('a\ufffd b\ufffd')));

  it.each([
    ['a letter', 'a'],
    ['a capital letter', 'A'],
    ['spaces', ' '],
    ['tabs and spaces', '\t '],
    ['line breaks', '\n'],
    ['symbols', '='],
    ['slashes at line ends', '/\n'],
    ['emoji', '😀'],
    ['CJK', '中'],
    ['combining marks', 'e\u0301'],
    ['half emoji', '\ud83d'],
    ['a giant word', 'pneumonoultramicroscopic'],
    ['base64', 'QmFzZTY0IQ+/'],
  ])('counts half a megabyte of %s', (_, unit) => {
    const text = unit.repeat(Math.ceil(500_000 / Buffer.byteLength(unit)));
    expect(counter.count(text)).toBeGreaterThanOrEqual(splitLongRuns(text, RUN_MAX).length);
  });

  it('returns the names of vocabulary and method', () =>
    expect(counter.estimator).toBe('o200k_base/split-256'));
});
