import { visible, visibleLine } from './visible.js';

describe('text for a terminal', () => {
  it.each([
    ['\u001b]0;title\u0007', '\\u001b]0;title\\u0007'],
    ['\u009b31m', '\\u009b31m'],
    ['\u202egnp.exe', '\\u202egnp.exe'],
    ['\u2066x\u2069', '\\u2066x\\u2069'],
    ['over\rwritten', 'over\\u000dwritten'],
    ['\u{e0041}', '\\udb40\\udc41'],
    ['two\nlines\tand\r\nmore é 😀', 'two\nlines\tand\r\nmore é 😀'],
  ])('shows %j', (text, shown) => {
    expect(visible(text)).toBe(shown);
  });

  it('is the same JSON, and a cell is one line', () => {
    const value = { name: '\u202e\u001b[2J\u{e0041}' };
    expect(JSON.parse(visible(JSON.stringify(value)))).toEqual(value);
    expect(visibleLine('a\nforged row')).toBe('a\\u000aforged row');
  });
});
