import { countTokens, ENCODED_MAX } from '../src/count-tokens.js';

describe('counting', () => {
  it('adds up the counts of all pieces', () =>
    expect(countTokens(`${'a'.repeat(300)} b`, (piece) => piece.length)).toBe(302));

  it('encodes a text of the maximum length, and estimates a longer one', () => {
    const one = (): number => 1;
    const longest = 'ab '.repeat(ENCODED_MAX / 3).padEnd(ENCODED_MAX, 'a');
    expect(countTokens(longest, one)).toBe(1);
    expect(countTokens(`${longest}a`, one)).toBe(Math.ceil((ENCODED_MAX + 1) / 3));
  });
});
