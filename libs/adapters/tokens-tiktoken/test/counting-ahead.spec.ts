import type { TokenCounter } from '@app/ports';
import { jest } from '@jest/globals';
import { openTokenCounter } from '../src/index.js';
import { CountingPool } from '../src/worker/counting-pool.js';

const WIDE = '数据在日志里，文字也在。'.repeat(8_000);
const PLAIN = 'The log has every word of it. '.repeat(4_000);

/** Guarantee: a large text is counted in a thread, as it would be counted here; and no tenant waits for all texts of another. */
describe('counting ahead', () => {
  const ahead = (counter: TokenCounter, ...texts: readonly string[]): Promise<TokenCounter> | undefined =>
    counter.ahead?.(texts, 'acme');

  it('returns the same counts as synchronous counting', async () => {
    const counter = openTokenCounter();
    const made = await ahead(openTokenCounter(), WIDE, PLAIN, WIDE, 'short');
    for (const text of [WIDE, PLAIN, 'short', 'of none of them'])
      expect(made?.count(text)).toBe(counter.count(text));
    expect(made?.estimator).toBe(counter.estimator);
  });

  it('counts each large text in a thread, for its tenant', async () => {
    const inThread = jest.spyOn(CountingPool.prototype, 'count');
    await ahead(openTokenCounter(), WIDE, PLAIN, WIDE);
    expect(inThread.mock.calls).toEqual([WIDE, PLAIN].map((text) => [text, 'acme']));
    inThread.mockRestore();
  });

  it('starts no thread for small inputs', async () => {
    const counter = openTokenCounter();
    expect(await ahead(counter, 'a few words', '')).toBe(counter);
  });

  it('alternates between tenants', async () => {
    const pool = new CountingPool(1);
    const done: string[] = [];
    const counted = (text: string, tenant: string): Promise<unknown> =>
      pool.count(text, tenant).then(() => done.push(tenant));
    await Promise.all([
      ...['one', 'two', 'three', 'four'].map((word) => counted(`${word} ${PLAIN}`, 'large')),
      counted('a word', 'small'),
    ]);
    expect(done).toEqual(['large', 'large', 'small', 'large', 'large']);
  });
});
