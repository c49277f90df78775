import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { answerWith, isSignedWith, Receiver } from '../contract/webhooks/support/receiver.js';
import { ApiServer } from './support/api-server.js';

type Registered = { readonly webhookId: string; readonly secret: string };
type Deliveries = { readonly items: readonly { readonly delivery: string; readonly type: string }[] };

/** Guarantee: what is recorded of a tenant arrives at its webhooks, signed, and in order of its session. */
describe('webhooks', () => {
  let api: ApiServer;
  let receiver: Receiver;
  beforeAll(async () => {
    receiver = await Receiver.start();
    api = await ApiServer.start({ PALIMPSEST_WEBHOOK_ALLOW_PRIVATE: 'true' });
  });
  afterAll(async () => {
    expect(await api.stop()).toBe(0);
    receiver.stop();
  });

  const register = async (body: object): Promise<Registered> => {
    const answer = await api.call('POST', '/v1/webhooks', body);
    expect(answer.status).toBe(201);
    return answer.body as Registered;
  };
  const deadLetters = async (webhookId: string) =>
    (await api.call('GET', `/v1/webhooks/${webhookId}/deliveries?state=dead`)).body as Deliveries;

  it('get events in order, and show their secret once', async () => {
    const { webhookId, secret } = await register({
      url: receiver.url,
      types: ['SessionOpened', 'MessageAppended'],
    });
    await api.call('POST', '/v1/sessions', { session: 'hooked' });
    const messages = ['one', 'two'].map((content) => ({ role: 'user', content }));
    await api.call('POST', '/v1/sessions/hooked/messages', { messages });
    await receiver.until((received) => received.length === 3);
    expect(receiver.received.map(({ event }) => event.type)).toEqual([
      'palimpsest.SessionOpened',
      'palimpsest.MessageAppended',
      'palimpsest.MessageAppended',
    ]);
    expect(receiver.received.every((one) => isSignedWith(secret, one))).toBe(true);
    const shown = await api.call('GET', `/v1/webhooks/${webhookId}`);
    expect(shown).toMatchObject({ status: 200, body: { webhookId, url: receiver.url, content: 'none' } });
    expect(JSON.stringify([shown.body, (await api.call('GET', '/v1/webhooks')).body])).not.toContain(
      'whsec_',
    );
    expect((await api.call('DELETE', `/v1/webhooks/${webhookId}`)).status).toBe(200);
    expect((await api.call('GET', `/v1/webhooks/${webhookId}`)).body).toMatchObject({
      code: 'webhook-not-found',
    });
  });

  it('are twenty at most', async () => {
    const key = await api.call('POST', '/v1/tenants', { tenant: 'many', name: 'Many' });
    const as = { authorization: `Bearer ${(key.body as { readonly key: string }).key}` };
    const statuses: number[] = [];
    for (let at = 0; at < 21; at += 1)
      statuses.push((await api.call('POST', '/v1/webhooks', { url: receiver.url }, as)).status);
    expect(statuses).toEqual([...Array.from({ length: 20 }, () => 201), 409]);
  });

  it('can be tried, changed, and given a new secret beside the old one', async () => {
    receiver.reset();
    const { webhookId, secret } = await register({ url: receiver.url, sessions: ['none'] });
    const at = `/v1/webhooks/${webhookId}`;
    const rotated = (await api.call('POST', `${at}/rotate-secret`, { overlapSeconds: 60 }))
      .body as Registered;
    expect((await api.call('POST', `${at}/test`, {})).body).toEqual({ delivered: true, outcome: '204' });
    const [tried] = receiver.received;
    expect(tried?.event.type).toBe('palimpsest.WebhookTest');
    expect(tried && [secret, rotated.secret].map((one) => isSignedWith(one, tried))).toEqual([true, true]);
    const changed = await api.call('PATCH', at, { url: `${receiver.url}/other` });
    expect(changed.body).toMatchObject({ url: `${receiver.url}/other`, sessions: ['none'] });
    expect(changed.status).toBe(200);
  });

  it('list what nobody took, and send it again', async () => {
    receiver.reset();
    receiver.answering = answerWith(410);
    const { webhookId } = await register({
      url: receiver.url,
      sessions: ['refused'],
      types: ['SessionOpened'],
    });
    await api.call('POST', '/v1/sessions', { session: 'refused' });
    let dead = await deadLetters(webhookId);
    while (dead.items.length === 0) dead = await deadLetters(webhookId);
    receiver.reset();
    const [letter] = dead.items;
    const at = `/v1/webhooks/${webhookId}/deliveries/${letter?.delivery}/replay`;
    expect((await api.call('POST', at, {})).body).toMatchObject({ state: 'pending', attempts: 0 });
    await receiver.until((received) => received.length === 1);
    expect(receiver.received[0]?.id).toBe(`${webhookId}-${letter?.delivery}`);
    expect((await deadLetters(webhookId)).items).toEqual([]);
  });
});

/** Guarantee: nobody reaches by a webhook what stands behind the firewall of the service. */
describe('webhooks where nothing is said', () => {
  let api: ApiServer;
  beforeAll(async () => {
    api = await ApiServer.start();
  });
  afterAll(async () => {
    expect(await api.stop()).toBe(0);
  });

  it.each([
    'http://127.0.0.1:8420/',
    'http://169.254.169.254/latest',
    'http://[::1]/',
    'https://10.0.0.1/',
    'http://localhost/',
  ])('do not lead to %s', async (url) => {
    const answer = await api.call('POST', '/v1/webhooks', { url });
    expect(answer).toMatchObject({ status: 422, body: { code: 'address-forbidden' } });
  });

  it.each(['ftp://h/', 'https://user:secret@h/', 'nothing'])('are not taken with %s', async (url) => {
    const answer = await api.call('POST', '/v1/webhooks', { url });
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid-request' } });
    expect(JSON.stringify(answer.body)).not.toContain('secret');
  });

  it('have named secrets beside them, which the service keeps and shows to nobody', async () => {
    const value = 'sk-Zwiebelfisch';
    const put = await api.call('PUT', '/v1/secrets/model-key', { value });
    expect(put).toMatchObject({ status: 200, body: { name: 'model-key', lastUsedAt: null } });
    const again = await api.call('PUT', '/v1/secrets/model-key', { value: 'another' });
    expect(again.body).toMatchObject({ createdAt: (put.body as { readonly createdAt: string }).createdAt });
    const listed = await api.call('GET', '/v1/secrets');
    expect(listed.body).toEqual({ secrets: [again.body] });
    expect(await api.call('DELETE', '/v1/secrets/model-key')).toMatchObject({
      body: { name: 'model-key', state: 'removed' },
    });
    const gone = await api.call('DELETE', '/v1/secrets/model-key');
    expect(gone).toMatchObject({ status: 404, body: { code: 'secret-not-found' } });
    const faulty = await api.call('PUT', '/v1/secrets/model-key', { value, more: value });
    expect(faulty).toMatchObject({ status: 400, body: { code: 'invalid-request' } });
    expect(JSON.stringify([put, again, listed, gone, faulty].map(({ body }) => body))).not.toContain(value);
  });
});
