import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApiServer } from './support/api-server.js';

/** Guarantee: a tenant takes what its limits allow and no more, and another is not touched by that. */
describe('limits of a tenant', () => {
  let api: ApiServer;
  beforeAll(async () => {
    api = await ApiServer.start();
  });
  afterAll(async () => {
    expect(await api.stop()).toBe(0);
  });

  /** Limits count from the first request of a tenant on: what is asked for before is asked for by the operator's. */
  const tenantWith = async (tenant: string, limits: object) => {
    const registered = await api.call('POST', '/v1/tenants', { tenant, name: tenant });
    const { key } = registered.body as { readonly key: string };
    const as = { authorization: `Bearer ${key}` };
    const changed = await api.call('PUT', '/v1/limits', limits, as);
    expect(changed).toMatchObject({ status: 200, body: limits });
    const call = (method: string, path: string, body?: unknown) => api.call(method, path, body, as);
    const untilInForce = async () => {
      const [[, limit]] = Object.entries(limits) as [[string, number]];
      const said = (): Promise<unknown> => call('GET', '/v1/whoami').then(({ headers }) => headers);
      for (let known: unknown; known !== String(limit); )
        known = ((await said()) as Headers).get('ratelimit-limit');
    };
    return { call, untilInForce };
  };

  it('refuse with the time to wait what is beyond them, and others go on', async () => {
    const { call, untilInForce } = await tenantWith('few', { requestsPerMinute: 3 });
    await untilInForce();
    const answers = await Promise.all([1, 2, 3, 4].map(() => call('GET', '/v1/whoami')));
    const refused = answers.find(({ status }) => status === 429);
    expect(refused).toMatchObject({ body: { code: 'rate-limited', type: '/errors/rate-limited' } });
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(refused?.headers.get('ratelimit-remaining')).toBe('0');
    expect((await api.call('GET', '/v1/whoami')).status).toBe(200);
  });

  it('are changed one by one, and shown whole', async () => {
    const { call } = await tenantWith('busy', { concurrentCompactions: 3 });
    const shown = { concurrentCompactions: 3, requestsPerSecond: 1_000, requestsPerMinute: 30_000 };
    expect(await call('GET', '/v1/limits')).toMatchObject({ status: 200, body: shown });
    const refused = await call('PUT', '/v1/limits', { concurrentCompactions: 0 });
    expect(refused.status).toBe(400);
  });
});
