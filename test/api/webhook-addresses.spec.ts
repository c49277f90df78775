import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApiServer } from './support/api-server.js';

/** Guarantee: webhooks cannot reach hosts behind the service's firewall. */
describe('webhook addresses by default', () => {
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
