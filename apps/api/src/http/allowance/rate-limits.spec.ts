import { DEFAULT_TENANT_LIMITS } from '@app/domain';
import { TenantId, Tokens } from '@app/kernel';
import { RateLimits } from './rate-limits.js';

const [one, other] = [TenantId('one'), TenantId('other')];
const limits = { ...DEFAULT_TENANT_LIMITS, requestsPerMinute: 2, tokensPerMinute: Tokens(10) };

describe('limits', () => {
  it('are of each tenant, and tell which was met', async () => {
    const rates = new RateLimits();
    expect(await rates.take(one, limits, 0)).toMatchObject({ standing: { limit: 2, remaining: 1 } });
    expect((await rates.take(one, limits, 0)).met).toBeUndefined();
    const met = await rates.take(one, limits, 0);
    expect(met).toMatchObject({ met: 'requests per minute', standing: { remaining: 0, resetSeconds: 60 } });
    expect((await rates.take(other, limits, 0)).met).toBeUndefined();
  });

  it('hold appended tokens to the last one', async () => {
    const rates = new RateLimits();
    expect((await rates.take(one, limits, 10)).met).toBeUndefined();
    expect((await rates.take(one, limits, 1)).met).toBe('appended tokens per minute');
  });

  it('that are raised let through at once', async () => {
    const rates = new RateLimits();
    const none = { ...limits, requestsPerMinute: 1 };
    await rates.take(one, none, 0);
    expect((await rates.take(one, none, 0)).met).toBe('requests per minute');
    expect((await rates.take(one, limits, 0)).met).toBeUndefined();
  });
});
