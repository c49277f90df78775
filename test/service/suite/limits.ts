import { describe, expect, it } from '@jest/globals';
import type { Service } from '../support/service.js';

/** Guarantee: a tenant can use exactly its limits, without effect on other tenants. */
export const limitTests = (service: () => Service): void =>
  describe('limits of a tenant', () => {
    /** Limits apply from a tenant's first request on; before it the operator sets them. */
    const tenantWith = async (tenant: string, limits: object) => {
      const api = await service().tenant(tenant);
      const changed = await api.call('PUT', '/v1/limits', limits);
      expect(changed).toMatchObject({ status: 200, body: limits });
      const call = (...request: Parameters<typeof api.call>) => api.call(...request);
      const untilInForce = async () => {
        const [[, limit]] = Object.entries(limits) as [[string, number]];
        const said = (): Promise<unknown> => call('GET', '/v1/whoami').then(({ headers }) => headers);
        for (let known: unknown; known !== String(limit); )
          known = ((await said()) as Headers).get('ratelimit-limit');
      };
      return { call, untilInForce };
    };

    it('reject requests above them with the time to wait, and other tenants continue', async () => {
      const { call, untilInForce } = await tenantWith('few', {
        requestsPerMinute: 5,
        tokensPerMinute: 1_000,
      });
      await untilInForce();
      const line = (at: number) => ({ role: at % 2 ? 'assistant' : 'user', content: 'word '.repeat(200) });
      const transcript = Array.from({ length: 3_000 }, (_, at) => `${JSON.stringify(line(at))}\n`).join('');
      const lines = { 'content-type': 'application/x-ndjson' };
      const imported = await call('POST', '/v1/imports?name=long&window=100000', transcript, lines);
      expect(imported).toMatchObject({ status: 429, body: { code: 'rate-limited' } });
      expect(Number(imported.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
      const answers = await Promise.all([1, 2, 3, 4].map(() => call('GET', '/v1/whoami')));
      const refused = answers.find(({ status }) => status === 429);
      expect(refused).toMatchObject({ body: { code: 'rate-limited', type: '/errors/rate-limited' } });
      expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
      expect(refused?.headers.get('ratelimit-remaining')).toBe('0');
      expect((await service().operator.call('GET', '/v1/whoami')).status).toBe(200);
    });

    it('are changed one by one up to the operator’s ceilings, and shown completely', async () => {
      const { call } = await tenantWith('busy', { concurrentCompactions: 3 });
      const shown = { concurrentCompactions: 3, requestsPerSecond: 5_000, requestsPerMinute: 200_000 };
      expect(await call('GET', '/v1/limits')).toMatchObject({ status: 200, body: shown });
      const refused = await call('PUT', '/v1/limits', { concurrentCompactions: 0 });
      expect(refused.status).toBe(400);
      const above = await call('PUT', '/v1/limits', { requestsPerMinute: 300_001 });
      expect(above).toMatchObject({ status: 400, body: { code: 'invalid-settings' } });
      expect((above.body as { detail: string }).detail).toContain('at most 300000');
      expect(await call('GET', '/v1/limits')).toMatchObject({ body: shown });
    });
  });
