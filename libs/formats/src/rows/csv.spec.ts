import { csvLine } from './csv.js';

describe('a line of CSV', () => {
  it.each([
    ['plain words', 'plain words'],
    ['a, b', '"a, b"'],
    ['"quoted"', '"""quoted"""'],
    ['two\r\nlines', '"two\r\nlines"'],
    [null, ''],
    [12n, '12'],
    [-3, '-3'],
    [{ at: 12n }, '"{""at"":""12""}"'],
  ])('writes %j as %s', (value, cell) => {
    expect(csvLine([value, 'x'])).toBe(`${cell},x\r\n`);
  });

  it.each(['=1+1', '+1', '-1', '@x', '\tx', '\rx'])('escapes a formula in %j', (text) => {
    expect(csvLine([text]).replaceAll('"', '')).toBe(`'${text}\r\n`);
  });
});
