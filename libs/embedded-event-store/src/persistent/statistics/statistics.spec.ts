import fc from 'fast-check';
import { Latencies } from './latencies.js';
import { Meter } from './meter.js';

describe('meter', () => {
  it('reports the count and the rate since the previous report', () => {
    let now = 1_000;
    const meter = new Meter(() => now);
    for (let count = 0; count < 7; count += 1) meter.count();
    now += 2_000;
    expect(meter.measure()).toEqual({ count: 7, perSecond: 3 });
    meter.count();
    now += 500;
    expect(meter.measure()).toEqual({ count: 1, perSecond: 2 });
    expect(meter.measure()).toEqual({ count: 0, perSecond: 0 });
    expect(meter.total).toBe(8);
  });
});

describe('latencies', () => {
  it('has no measurements without samples', () => expect(new Latencies().measurements()).toEqual([]));

  it('ascends from the fastest to the highest', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 100_000 }), { minLength: 1, maxLength: 50 }), (times) => {
        const latencies = new Latencies();
        for (const time of times) latencies.add(time);
        const [mean, median, ...rising] = latencies.measurements().map(([, value]) => value);
        expect(rising).toEqual([...rising].sort((a, b) => a - b));
        expect([rising[0], rising.at(-1)]).toEqual([Math.min(...times), Math.max(...times)]);
        for (const middle of [mean, median]) {
          expect(middle).toBeGreaterThanOrEqual(Math.min(...times));
          expect(middle).toBeLessThanOrEqual(Math.max(...times));
        }
      }),
    );
  });

  it('drops the oldest samples', () => {
    const latencies = new Latencies();
    for (let time = 0; time < 1_500; time += 1) latencies.add(time);
    const named = new Map(latencies.measurements());
    expect([named.get('Fastest'), named.get('Highest')]).toEqual([500, 1_499]);
  });
});
