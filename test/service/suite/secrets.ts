import { describe, expect, it } from '@jest/globals';
import type { Service } from '../support/service.js';

/** Guarantee: named secrets are stored, and never shown. */
export const secretTests = (service: () => Service): void =>
  describe('named secrets of a tenant', () => {
    it('are stored and listed, and never shown', async () => {
      const api = await service().tenant('secretive');
      const value = 'sk-Zwiebelfisch';
      const put = await api.call('PUT', '/v1/secrets/model-key', { value });
      expect(put).toMatchObject({ status: 200, body: { name: 'model-key', lastUsedAt: null } });
      const again = await api.call('PUT', '/v1/secrets/model-key', { value: 'another' });
      expect(again.body).toMatchObject({
        createdAt: (put.body as { readonly createdAt: string }).createdAt,
      });
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
      // Providers would receive it.
      const own = await api.call('PUT', '/v1/secrets/model-key', { value: ` ${api.key}\n` });
      expect(own).toMatchObject({ status: 400, body: { code: 'invalid-request' } });
      expect(JSON.stringify(own.body)).not.toContain(api.key);
    });
  });
