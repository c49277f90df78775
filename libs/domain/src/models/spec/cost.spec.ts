import { IsoTime, NanoUsd, Tokens } from '@app/kernel';
import fc from 'fast-check';
import { type Cost, costOf, formatUsd, type ModelCatalog, NO_MODELS, sumCosts } from '../index.js';
import type { Usage } from '../usage.js';
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

describe('what a call costs', () => {
  it('is the sum of its tokens by their kinds, those written for an hour by their own price', () =>
    expect(amount('full', usage(10, 100, [1_000, 50, 20]))).toBe(
      10 * 4_000 + 100 * 20_000 + 1_000 * 200 + 30 * 5_000 + 20 * 8_000,
    ));
  it('says by which prices, so that anybody can compute it again', () =>
    expect(costOf(catalog, 'full', usage(1, 0), now).prices).toEqual([
      { model: 'full', rates: full, source: 'the test', asOf: '2026-11-21' },
    ]));
  it('goes by the prices in force at its time', () => {
    expect(amount('changed', usage(1, 1), IsoTime('2026-10-06T23:59:59.999Z'))).toBe(20);
    expect(amount('changed', usage(1, 1), IsoTime('2026-10-07T00:00:00Z'))).toBe(10);
  });
  it('goes by other rates where the prompt is long, cached parts included', () => {
    expect(amount('long', usage(1_000, 1))).toBe(1_001);
    expect(amount('long', usage(1_001, 1))).toBe(2_005);
  });

  it.each([
    ['nobody', 'unknown-model'],
    ['priceless', 'no-price'],
    ['later', 'no-price'],
    ['bedrock/full', 'other-seller'],
  ])('is not known of %s, and never nothing: %s', (name, reason) =>
    expect(costOf(catalog, name, usage(1, 1), now)).toEqual({
      prices: [],
      unpriced: [{ model: name, reason, tokens: 2 }],
    }),
  );
  it('is not known where a kind of its tokens has no price', () => {
    expect(costOf(catalog, 'long', usage(1, 1, [1]), now).unpriced).toEqual([
      { model: 'long', reason: 'no-cache-price', tokens: 3 },
    ]);
    expect(amount('long', usage(0, 0))).toBe(0);
  });
});

describe('several bills as one', () => {
  const of = (nanoUsd: number): Cost => ({ nanoUsd: NanoUsd(nanoUsd), prices: [] });
  const nobodys = costOf(catalog, 'nobody', usage(1, 1), now);
  it('is nothing at all for none', () => expect(sumCosts([undefined])).toBeUndefined());
  it('names what had no price beside the sum of what had', () =>
    expect(sumCosts([of(1), nobodys, of(2), nobodys])).toEqual({
      nanoUsd: 3,
      prices: [],
      unpriced: [{ model: 'nobody', reason: 'unknown-model', tokens: 4 }],
    }));
  it('sums exactly', () =>
    fc.assert(
      fc.property(fc.array(fc.nat(), { minLength: 1 }), (amounts) =>
        expect(sumCosts(amounts.map(of))?.nanoUsd).toBe(amounts.reduce((sum, one) => sum + one, 0)),
      ),
    ));
});

it('is shown in dollars', () => {
  expect(formatUsd(1_234_567_890)).toBe('1.2346 USD');
  expect(formatUsd(1)).toBe('0.000000001 USD');
  expect(formatUsd(0)).toBe('0.0000 USD');
});
