import { NanoUsd } from '@app/kernel';
import fc from 'fast-check';
import { promptCacheEffect } from '../prompt-cache.js';

/** Per token, in billionths of a dollar: input 5 dollars for a million, cache reads a tenth, cache writes a quarter more. */
const rates = {
  ...{ input: NanoUsd(5_000), output: NanoUsd(25_000), cacheRead: NanoUsd(500), cacheWrite: NanoUsd(6_250) },
};

describe('the effect of a compaction on the prompt cache', () => {
  it('keeps tools and system prompt, writes the rest anew, and pays for it by later requests', () => {
    // Given a request of 80,000 tokens, 10,000 of them before the messages.
    // When a compaction reduces it to 30,000.
    const effect = promptCacheEffect({ kept: 10_000, before: 80_000, after: 30_000 }, rates);
    // Then 20,000 are written at 5,750 more than a read costs, and each request reads 50,000 less: 4.6 requests.
    expect(effect).toEqual({
      ...{ kept: 10_000, rewritten: 20_000, savedPerRequest: 50_000, breakEvenRequests: 5 },
    });
  });

  it('writes at the price of input if the vendor charges nothing more', () => {
    const { cacheWrite: _, ...openAi } = rates;
    const sizes = { kept: 10_000, before: 80_000, after: 30_000 };
    expect(promptCacheEffect(sizes, openAi).breakEvenRequests).toBe(4);
  });

  it.each([
    ['unknown prices', { kept: 1, before: 80, after: 30 }, undefined],
    ['a request that did not become smaller', { kept: 1, before: 30, after: 30 }, rates],
  ])('names no number of requests for %s', (_, sizes, known) => {
    expect(promptCacheEffect(sizes, known).breakEvenRequests).toBeNull();
  });

  it('has paid after the number of requests that it names, and not one earlier', () => {
    const size = fc.integer({ min: 1, max: 200_000 });
    fc.assert(
      fc.property(size, size, size, (kept, one, other) => {
        const [before, after] = [Math.max(one, other) + 1, Math.min(one, other)];
        const {
          kept: stable,
          rewritten,
          breakEvenRequests,
        } = promptCacheEffect({ kept, before, after }, rates);
        expect(stable + rewritten).toBe(after);
        const gain = (requests: number): number =>
          requests * before * rates.cacheRead -
          (stable * rates.cacheRead +
            rewritten * rates.cacheWrite +
            (requests - 1) * after * rates.cacheRead);
        const requests = breakEvenRequests ?? 0;
        expect(gain(requests)).toBeGreaterThanOrEqual(0);
        if (requests > 1) expect(gain(requests - 1)).toBeLessThan(0);
      }),
    );
  });
});
