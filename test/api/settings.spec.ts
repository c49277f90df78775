import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApiServer } from './support/api-server.js';

let api: ApiServer;
beforeAll(async () => {
  api = await ApiServer.start();
});
afterAll(async () => {
  expect(await api.stop()).toBe(0);
});

/** Guarantee: a tenant's model entry applies to that tenant only. */
describe('model entry of a tenant', () => {
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

/** Guarantee: a change of settings is recorded as one event, and a misspelt field is reported with its path. */
describe('PATCH /v1/sessions/:session/settings', () => {
  beforeAll(async () => {
    expect((await api.call('POST', '/v1/sessions', { session: 's', window: 20_000 })).status).toBe(201);
  });

  /** Types of the recorded events. */
  const types = async (): Promise<readonly string[]> => {
    const { body } = await api.call('GET', '/v1/sessions/s/events');
    return [...String(body).matchAll(/"type":"(\w+)","/g)].map(([, type = '']) => type);
  };

  it('records a title as one event', async () => {
    const before = await types();
    expect(before).toContain('SessionOpened');
    const { status, body } = await api.call('PATCH', '/v1/sessions/s/settings', { title: 'Parser' });
    expect(status).toBe(200);
    expect(body).toMatchObject({ title: 'Parser', changed: ['title'] });
    expect(await types()).toEqual([...before, 'SessionDescribed']);
  });

  it.each([
    [{ titel: 'x' }, [{ at: 'titel', problem: 'unknown field "titel" (did you mean "title"?)' }]],
    [
      { widnow: 1, zzzzzzzz: 1 },
      [
        { at: 'widnow', problem: 'unknown field "widnow" (did you mean "window"?)' },
        { at: 'zzzzzzzz', problem: 'unknown field "zzzzzzzz"' },
      ],
    ],
  ])('names each unknown field of %j', async (change, faults) => {
    const { status, body } = await api.call('PATCH', '/v1/sessions/s/settings', change);
    expect(status).toBe(400);
    expect(body).toMatchObject({
      code: 'invalid-request',
      faults: faults.map(({ at, problem }) => ({ at, problem: expect.stringContaining(problem) })),
    });
  });
});

/** Guarantee: webhooks cannot reach hosts behind the service's firewall. */
describe('webhook addresses by default', () => {
  it.each([
    'http://127.0.0.1:8420/',
    'http://169.254.169.254/latest',
    'http://[::1]/',
    'https://10.0.0.1/',
    'http://localhost/',
  ])('exclude %s', async (url) => {
    const answer = await api.call('POST', '/v1/webhooks', { url });
    expect(answer).toMatchObject({ status: 422, body: { code: 'address-forbidden' } });
  });

  it.each(['ftp://h/', 'https://user:secret@h/', 'nothing'])('exclude %s', async (url) => {
    const answer = await api.call('POST', '/v1/webhooks', { url });
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid-request' } });
    expect(JSON.stringify(answer.body)).not.toContain('secret');
  });
});
