import { IsoTime, NanoUsd, Tokens } from '@app/kernel';
import fc from 'fast-check';
import type { Usage } from '../cost.js';
import { type Cost, costOf, formatUsd, type ModelCatalog, NO_MODELS, sumCosts } from '../index.js';
import { evidence, model, rates } from './builders.js';

const full = {
  ...rates(4_000, 20_000, 200),
  cacheWrite: NanoUsd(5_000),
  cacheWrite1h: NanoUsd(8_000),
};
const catalog: ModelCatalog = {
  ...NO_MODELS,
  models: [
    model('full', { prices: [{ rates: full, evidence }] }),
    model('changed', {
      prices: [
        { rates: rates(10, 10), evidence },
        { from: '2026-10-07', rates: rates(5, 5), evidence },
      ],
    }),
    model('later', { prices: [{ from: '2027-01-01', rates: rates(1, 1), evidence }] }),
    model('long', {
      prices: [{ rates: rates(1, 1), longPrompt: { above: Tokens(1_000), rates: rates(2, 3) }, evidence }],
    }),
    model('priceless'),
  ],
};
const now = IsoTime('2026-11-21T12:00:00Z');
const usage = (
  inputTokens: number,
  outputTokens: number,
  [cacheReadTokens = 0, cacheWriteTokens = 0, cacheWrite1hTokens = 0]: readonly number[] = [],
): Usage => ({
  inputTokens: Tokens(inputTokens),
  outputTokens: Tokens(outputTokens),
  cacheReadTokens: Tokens(cacheReadTokens),
  cacheWriteTokens: Tokens(cacheWriteTokens),
  ...(cacheWrite1hTokens > 0 && { cacheWrite1hTokens: Tokens(cacheWrite1hTokens) }),
});
const amount = (name: string, billed: Usage, at = now) => costOf(catalog, name, billed, at).nanoUsd;

describe('the cost of a call', () => {
  it('is the sum of its tokens by kind, with a price of its own for one-hour cache writes', () =>
    expect(amount('full', usage(10, 100, [1_000, 50, 20]))).toBe(
      10 * 4_000 + 100 * 20_000 + 1_000 * 200 + 30 * 5_000 + 20 * 8_000,
    ));
  it('carries its prices for recomputation', () =>
    expect(costOf(catalog, 'full', usage(1, 0), now).prices).toEqual([
      { model: 'full', rates: full, source: 'the test', asOf: '2026-11-21' },
    ]));
  it('uses the prices in force at the time of the call', () => {
    expect(amount('changed', usage(1, 1), IsoTime('2026-10-06T23:59:59.999Z'))).toBe(20);
    expect(amount('changed', usage(1, 1), IsoTime('2026-10-07T00:00:00Z'))).toBe(10);
  });
  it('uses the rates for long prompts, cached tokens included', () => {
    expect(amount('long', usage(1_000, 1))).toBe(1_001);
    expect(amount('long', usage(1_001, 1))).toBe(2_005);
  });

  it.each([
    ['nobody', 'unknown-model'],
    ['priceless', 'no-price'],
    ['later', 'no-price'],
    ['bedrock/full', 'other-seller'],
  ])('is unknown, not 0, for %s: %s', (name, reason) =>
    expect(costOf(catalog, name, usage(1, 1), now)).toEqual({
      prices: [],
      unpriced: [{ model: name, reason, tokens: 2 }],
    }),
  );
  it('is unknown if one kind of its tokens has no price', () => {
    expect(costOf(catalog, 'long', usage(1, 1, [1]), now).unpriced).toEqual([
      { model: 'long', reason: 'no-cache-price', tokens: 3 },
    ]);
    expect(amount('long', usage(0, 0))).toBe(0);
  });
});

describe('the sum of several costs', () => {
  const of = (nanoUsd: number): Cost => ({ nanoUsd: NanoUsd(nanoUsd), prices: [] });
  const nobodys = costOf(catalog, 'nobody', usage(1, 1), now);
  it('is empty for no costs', () => expect(sumCosts([undefined])).toBeUndefined());
  it('lists unpriced tokens beside the priced sum', () =>
    expect(sumCosts([of(1), nobodys, of(2), nobodys])).toEqual({
      nanoUsd: 3,
      prices: [],
      unpriced: [{ model: 'nobody', reason: 'unknown-model', tokens: 4 }],
    }));
  it('is exact', () =>
    fc.assert(
      fc.property(fc.array(fc.nat(), { minLength: 1 }), (amounts) =>
        expect(sumCosts(amounts.map(of))?.nanoUsd).toBe(amounts.reduce((sum, one) => sum + one, 0)),
      ),
    ));
});

it('formats a cost in dollars', () => {
  expect(formatUsd(1_234_567_890)).toBe('1.2346 USD');
  expect(formatUsd(1)).toBe('0.000000001 USD');
  expect(formatUsd(0)).toBe('0.0000 USD');
});
