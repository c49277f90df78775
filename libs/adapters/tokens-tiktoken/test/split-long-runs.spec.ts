import fc from 'fast-check';
import { splitLongRuns } from '../src/split-long-runs.js';

/** Guarantee: no encoder ever sees a run on which it would be quadratic, and it sees everything. */
describe('splitting long runs', () => {
  const runMax = 8;
  const longRun = new RegExp(
    ['[\\p{L}\\p{M}]', '[\\r\\n/]', '\\s', '[^\\s\\p{L}\\p{N}]']
      .map((one) => `${one}{${runMax + 1},}`)
      .join('|'),
    'u',
  );
  const unit = fc.constantFrom(
    'a',
    'É',
    '中',
    '\u0301',
    ' ',
    '\t',
    '\n',
    '\r',
    '/',
    '=',
    '😀',
    '\ud83d',
    '\udc00',
    '7',
  );
  const runs = fc
    .array(fc.tuple(unit, fc.nat({ max: 3 * runMax })), { maxLength: 12 })
    .map((parts) => parts.map(([character, times]) => character.repeat(times)).join(''));

  const everySplit = (holds: (pieces: string[], text: string) => void) =>
    fc.assert(
      fc.property(runs, (text) => holds(splitLongRuns(text, runMax), text)),
      { numRuns: 1_000 },
    );

  it('preserves the text', () => everySplit((pieces, text) => expect(pieces.join('')).toBe(text)));

  it('leaves no run over the limit in any piece', () =>
    everySplit((pieces) => expect(pieces.filter((piece) => longRun.test(piece))).toEqual([])));

  it('returns a text without such a run as one piece', () =>
    everySplit((pieces, text) => {
      if (text !== '' && !longRun.test(text)) expect(pieces).toEqual([text]);
    }));

  it('splits no surrogate pair', () =>
    everySplit((pieces) => {
      for (const [at, piece] of pieces.entries())
        expect(/[\ud800-\udbff]$/.test(piece) && /^[\udc00-\udfff]/.test(pieces[at + 1] ?? '')).toBe(false);
    }));

  it.each([
    [8, 1],
    [9, 2],
    [16, 2],
    [17, 3],
  ])('cuts a run of %d slashes at line ends into %d', (length, pieces) =>
    expect(splitLongRuns('/\n'.repeat(9).slice(0, length), runMax)).toHaveLength(pieces),
  );
});
