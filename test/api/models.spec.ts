import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApiServer } from './support/api-server.js';

/** Guarantee: a tenant's model entry applies to that tenant only. */
describe('model entry of a tenant', () => {
  let api: ApiServer;
  beforeAll(async () => {
    api = await ApiServer.start();
  });
  afterAll(async () => {
    expect(await api.stop()).toBe(0);
  });

  const tenantNamed = async (tenant: string) => {
    const registered = await api.call('POST', '/v1/tenants', { tenant, name: tenant });
    const { key } = registered.body as { readonly key: string };
    const as = { authorization: `Bearer ${key}` };
    return { call: (method: string, path: string, body?: unknown) => api.call(method, path, body, as) };
  };

  it('overrides the catalog, prices bills, and can be removed', async () => {
    const { call } = await tenantNamed('modelled');
    const priced = {
      window: 64_000,
      prices: [
        {
          rates: { input: 0.5, output: 1.5 },
          evidence: { source: 'our contract', asOf: '2026-11-01', confidence: 'high' },
        },
      ],
    };
    expect(await call('PUT', '/v1/models/ours', priced)).toMatchObject({
      status: 200,
      body: { id: 'ours', window: 64_000, origin: 'tenant', prices: priced.prices },
    });
    await call('POST', '/v1/sessions', { session: 'cheap', model: 'ours' });
    const usage = { inputTokens: 1_000, outputTokens: 10 };
    const messages = [
      { role: 'user', content: 'hello' },
      { role: 'assistant', content: 'hi' },
    ];
    await call('POST', '/v1/sessions/cheap/messages', { messages, usage });
    const rows = async () =>
      ((await call('GET', '/v1/audit?type=UsageReported')).body as { readonly items: readonly unknown[] })
        .items;
    const audited = await rows();
    const cost = { nanoUsd: 1_000 * 500 + 10 * 1_500, prices: [{ model: 'ours' }] };
    expect(audited).toMatchObject([{ payload: { cost } }]);
    expect((await call('GET', '/v1/sessions/cheap')).body).toMatchObject({ budget: { window: 64_000 } });
    expect((await api.call('GET', '/v1/models/ours')).body).toMatchObject({ code: 'unknown-model' });
    const { body: found } = await call('GET', '/v1/models/us.anthropic.claude-opus-4-5-20251101-v1:0');
    expect(found).toMatchObject({ id: 'claude-opus-4-5', seller: 'bedrock', origin: 'shipped' });
    const windowless = await call('PUT', '/v1/models/ours', { vendor: 'us' });
    expect(windowless).toMatchObject({ status: 400, body: { code: 'invalid-settings' } });
    expect((await call('GET', '/v1/models/ours')).body).toMatchObject({ window: 64_000 });
    expect((await call('DELETE', '/v1/models/ours')).body).toEqual({ model: 'ours', state: 'forgotten' });
    expect(await call('DELETE', '/v1/models/ours')).toMatchObject({ status: 404 });
    expect(await call('PUT', '/v1/models/windowless', {})).toMatchObject({
      status: 400,
      body: { code: 'invalid-settings' },
    });
  });
});
