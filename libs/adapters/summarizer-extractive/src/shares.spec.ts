import { shareOf } from './shares.js';

describe('the share of a section', () => {
  const share = { part: 0.1, least: 60, ofLarge: 0.2 };

  it('is its fraction, which grows in a large summary', () => {
    expect([2_000, 3_000, 4_000, 8_000].map((total) => Math.round(shareOf(share, total)))).toEqual([
      200, 450, 800, 1_600,
    ]);
    expect(shareOf({ part: 0.1, least: 60 }, 8_000)).toBe(800);
  });

  it('is at least its minimum, and the minimum at most half of a summary', () => {
    expect([500, 120, 40].map((total) => Math.round(shareOf(share, total)))).toEqual([60, 60, 20]);
  });
});
