import { awkwardTexts } from '@app/testing';
import fc from 'fast-check';
import { headAndTail, isWellFormed, safeEnd, safeStart, toWellFormed, truncate } from '../text.js';

const family = '👩‍👩‍👧‍👦'; // Four pairs and three joiners: 11 units that are one character.
const accented = 'e\u0301\u0323'; // A letter and two marks.

describe('cut positions in a text', () => {
  it.each([
    ['between letters', 'ab', 1, 1, 1],
    ['not inside a surrogate pair', 'a😀b', 2, 1, 3],
    ['not before a combining mark', `x${accented}y`, 2, 1, 4],
    ['not between combining marks', `x${accented}y`, 3, 1, 4],
    ['not inside a joined emoji', `x${family}y`, 6, 1, 12],
    ['not before a variation selector', 'x❤️y', 2, 1, 3],
    ['at its beginning', 'ab', -1, 0, 0],
    ['at its end', 'ab', 9, 2, 2],
  ])('%s', (_, text, at, end, start) => {
    expect(safeEnd(text, at)).toBe(end);
    expect(safeStart(text, at)).toBe(start);
  });

  /** Guarantee: a cut creates no lone surrogate, and separates no combining mark from its letter. */
  it('leave both halves well formed, at every position of every text', () =>
    fc.assert(
      fc.property(wellFormedTexts(), (text) => {
        for (let at = 0; at <= text.length; at += 1) {
          for (const cut of [safeEnd(text, at), safeStart(text, at)]) {
            expect(isWellFormed(text.slice(0, cut))).toBe(true);
            expect(isWellFormed(text.slice(cut))).toBe(true);
            if (cut > 0) expect(text.slice(cut)).not.toMatch(/^(?:\p{M}|\u200d|[\ufe00-\ufe0f])/u);
          }
          expect(safeEnd(text, at)).toBeLessThanOrEqual(at);
          expect(safeStart(text, at)).toBeGreaterThanOrEqual(at);
        }
      }),
      { numRuns: 300, seed: 31 },
    ));
});

describe('truncating', () => {
  it('returns text that fits unchanged, and reports whether it was cut', () => {
    expect(truncate('abc', 3)).toBe('abc');
    expect(truncate('abcd', 3)).toBe('ab…');
    expect(truncate('a😀b', 3)).toBe('a…');
  });

  it('never returns more than the limit, even for a limit of 0', () =>
    fc.assert(
      fc.property(wellFormedTexts(), fc.integer({ min: 0, max: 40 }), (text, max) => {
        const short = truncate(text, max);
        expect(short.length).toBeLessThanOrEqual(Math.max(max, 0));
        expect(isWellFormed(short)).toBe(true);
        if (text.length <= max) expect(short).toBe(text);
      }),
      { numRuns: 1_000, seed: 31 },
    ));
});

describe('head and tail', () => {
  it('returns text that fits unchanged', () => expect(headAndTail('0123456789', 10)).toBe('0123456789'));

  it('states the missing length between them', () =>
    expect(headAndTail('0123456789'.repeat(20), 10)).toBe('0123456\n[… 190 characters left out …]\n789'));

  it('consists of whole characters of the text only', () =>
    fc.assert(
      fc.property(wellFormedTexts(), fc.integer({ min: 0, max: 30 }), (text, max) => {
        const [head = '', tail] = headAndTail(text, max).split(/\n\[… \d+ characters left out …\]\n/);
        expect(isWellFormed(head) && isWellFormed(tail ?? '')).toBe(true);
        if (tail === undefined) expect(head).toBe(text);
        else {
          expect(text.startsWith(head) && text.endsWith(tail)).toBe(true);
          expect(head.length + tail.length).toBeLessThanOrEqual(max + 1);
        }
      }),
      { numRuns: 1_000, seed: 31 },
    ));

  it('never makes a text longer', () =>
    fc.assert(
      fc.property(wellFormedTexts(), fc.integer({ min: 0, max: 60 }), (text, max) => {
        expect(headAndTail(text, max).length).toBeLessThanOrEqual(Math.max(text.length, 0));
      }),
      { numRuns: 1_000, seed: 31 },
    ));
});

describe('lone surrogates', () => {
  it.each(['\ud83d', '\udc00', 'a\ud83d', '\udc00\ud83d'])('are found and replaced', (text) => {
    expect(isWellFormed(text)).toBe(false);
    expect(isWellFormed(toWellFormed(text))).toBe(true);
    expect(toWellFormed(text)).toHaveLength(text.length);
  });
  it('are not found in surrogate pairs', () => {
    expect(isWellFormed(family)).toBe(true);
    expect(toWellFormed(family)).toBe(family);
  });
});

const wellFormedTexts = (): fc.Arbitrary<string> =>
  fc
    .array(fc.oneof(awkwardTexts(), fc.string({ unit: 'grapheme', maxLength: 8 })), { maxLength: 5 })
    .map((parts) => toWellFormed(parts.join('')));
