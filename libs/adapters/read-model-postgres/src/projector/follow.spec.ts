import { BatchPace } from './follow.js';

describe('the batch rate limit', () => {
  let now = 0;
  let pace = new BatchPace(() => now);
  beforeEach(() => {
    now = 0;
    pace = new BatchPace(() => now);
  });
  const batches = (count: number): readonly number[] =>
    Array.from({ length: count }, () => pace.afterBatch());

  it('allows a burst of ten batches, then ten per second', () => {
    expect(batches(10)).toEqual(Array.from({ length: 10 }, () => 0));
    for (let at = 0; at < 5; at += 1) {
      const wait = pace.afterBatch();
      expect(wait).toBe(100);
      now += wait;
    }
  });

  it('recovers its burst after a pause', () => {
    batches(15);
    now = 10_000;
    expect(batches(10)).toEqual(Array.from({ length: 10 }, () => 0));
  });

  it('does not delay batches below the rate', () => {
    for (let at = 0; at < 50; at += 1) {
      expect(pace.afterBatch()).toBe(0);
      now += 100;
    }
  });
});
