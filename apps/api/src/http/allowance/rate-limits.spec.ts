import { DEFAULT_TENANT_LIMITS } from '@app/domain';
import { TenantId, Tokens } from '@app/kernel';
import { RateLimits } from './rate-limits.js';

const [one, other] = [TenantId('one'), TenantId('other')];
const limits = { ...DEFAULT_TENANT_LIMITS, requestsPerMinute: 2, tokensPerMinute: Tokens(10) };

describe('rate limits', () => {
  it('count each tenant separately and name the exceeded limit', async () => {
    const rates = new RateLimits();
    expect(await rates.take(one, limits, 0)).toMatchObject({ state: { limit: 2, remaining: 1 } });
    expect((await rates.take(one, limits, 0)).exceeded).toBeUndefined();
    const exceeded = await rates.take(one, limits, 0);
    expect(exceeded).toMatchObject({
      exceeded: 'requests per minute',
      state: { remaining: 0, resetSeconds: 60 },
    });
    expect((await rates.take(other, limits, 0)).exceeded).toBeUndefined();
  });

  it('count appended tokens exactly', async () => {
    const rates = new RateLimits();
    expect((await rates.take(one, limits, 10)).exceeded).toBeUndefined();
    expect((await rates.take(one, limits, 1)).exceeded).toBe('appended tokens per minute');
  });

  it('apply a raised limit at once', async () => {
    const rates = new RateLimits();
    const none = { ...limits, requestsPerMinute: 1 };
    await rates.take(one, none, 0);
    expect((await rates.take(one, none, 0)).exceeded).toBe('requests per minute');
    expect((await rates.take(one, limits, 0)).exceeded).toBeUndefined();
  });
});
