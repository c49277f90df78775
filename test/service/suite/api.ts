import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Caller, Service } from '../support/service.js';

export const apiTests = (service: () => Service): void =>
  describe('API', () => {
    let api: Caller;
    beforeAll(async () => {
      api = await service().tenant('opening');
    });

    it('opens a session and appends to it', async () => {
      const opened = await api.call('POST', '/v1/sessions', { session: 'opening', window: 20_000 });
      expect(opened).toMatchObject({ status: 201, body: { session: 'opening', limits: { window: 20_000 } } });
      const appended = await api.call('POST', '/v1/sessions/opening/messages', {
        messages: [{ role: 'user', content: 'Hello.' }],
      });
      expect(appended).toMatchObject({ status: 200, body: { appended: 1, turn: 1, state: 'normal' } });
    });

    it('rejects requests without a key, and explains how to send one', async () => {
      const answer = await api.call(
        'POST',
        '/v1/sessions',
        { session: 'x' },
        { authorization: 'Bearer wrong' },
      );
      expect(answer).toMatchObject({
        status: 401,
        body: { code: 'unauthenticated', type: '/errors/unauthenticated' },
      });
      expect(answer.headers.get('content-type')).toContain('application/problem+json');
      expect(answer.headers.get('www-authenticate')).toContain('Bearer');
    });

    it('names every fault of a request, and repeats no value', async () => {
      const answer = await api.call('POST', '/v1/sessions', { session: 'a secret', window: 'many' });
      expect(answer).toMatchObject({
        status: 400,
        body: { code: 'invalid-request', faults: [{ at: 'session' }, { at: 'window' }] },
      });
      expect(JSON.stringify(answer.body)).not.toContain('secret');
      expect(await api.call('POST', '/v1/sessions', '{"sess')).toMatchObject({ status: 400 });
    });

    it('has a page for every error code, which the type of a problem links to', async () => {
      const { body } = await api.call('GET', '/v1/nowhere');
      expect(body).toMatchObject({ type: '/errors/route-not-found' });
      const put = await api.call('PUT', '/v1/sessions', {});
      expect(put).toMatchObject({ status: 405, body: { code: 'method-not-allowed', status: 405 } });
      expect(put.headers.get('allow')).toBe('GET, HEAD, POST');
      const page = await api.call('GET', '/errors/route-not-found', undefined, { authorization: '' });
      expect(page.status).toBe(200);
      expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(page.body).toContain('<h2>Remedy</h2>');
      expect((await api.call('GET', '/errors')).body).toContain('href="/errors/session-not-found"');
      expect(await api.call('GET', '/errors/..%2F..%2Fpackage')).toMatchObject({ status: 404 });
    });

    it('describes itself in OpenAPI 3.1, with a page to try it', async () => {
      const { body } = await api.call('GET', '/openapi.json');
      expect(body).toMatchObject({
        openapi: '3.1.0',
        paths: { '/v1/sessions': { post: { tags: ['sessions'] } } },
      });
      expect(await api.call('GET', '/docs')).toMatchObject({ status: 200 });
      const icon = await api.call('GET', '/favicon.ico'); // Browsers request it for the error pages.
      expect(icon).toMatchObject({ status: 200, body: expect.stringContaining('<svg') });
    });
  });
