import { PAUSES_MS, pauseAfter } from './deliver.js';

describe('the backoff of webhook deliveries', () => {
  it('takes a day in all and then ends', () => {
    const hours = PAUSES_MS.reduce((sum, pause) => sum + pause, 0) / 3_600_000;
    expect(hours).toBeGreaterThan(23);
    expect(hours).toBeLessThan(25);
    expect(pauseAfter(PAUSES_MS.length, undefined, 0.5)).toBe(8 * 3_600_000);
    expect(pauseAfter(PAUSES_MS.length + 1, 5_000, 0.5)).toBeUndefined();
  });

  it('has a jitter of a fifth', () => {
    expect([0, 0.5, 1].map((random) => pauseAfter(1, undefined, random))).toEqual([4_000, 5_000, 6_000]);
  });

  it('honours Retry-After up to a day', () => {
    expect(pauseAfter(1, 60_000, 0.5)).toBe(60_000);
    expect(pauseAfter(3, 60_000, 0.5)).toBe(120_000);
    expect(pauseAfter(1, 1e12, 0.5)).toBe(86_400_000);
  });
});
