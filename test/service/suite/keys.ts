import { beforeAll, describe, expect, it } from '@jest/globals';
import { foundEndpoints } from '../../api/support/endpoints.js';
import type { Caller, Service } from '../support/service.js';

type Issued = { readonly key: string; readonly keyId: string };

/** Guarantee: a key grants its role's permissions for its tenant while it is valid, and is shown once. */
export const keyTests = (service: () => Service): void =>
  describe('API keys', () => {
    let api: Caller;
    beforeAll(async () => {
      api = await service().tenant('keys');
    });

    const withKey = (key: string) => ({ authorization: `Bearer ${key}` });
    const whoami = (key: string) => api.call('GET', '/v1/whoami', undefined, withKey(key));
    const issue = async (body: object, as?: string): Promise<Issued> => {
      const answer = await api.call('POST', '/v1/keys', body, as === undefined ? {} : withKey(as));
      expect(answer.status).toBe(201);
      return answer.body as Issued;
    };

    it('are issued with a role, are valid at once, and are listed without the key itself', async () => {
      const { key, keyId } = await issue({ role: 'agent', label: 'fleet' });
      expect(key).toMatch(/^pal_[A-Za-z0-9]{12}_/);
      expect(await whoami(key)).toMatchObject({
        status: 200,
        body: { tenant: api.tenant, actor: `key:${keyId}`, role: 'agent' },
      });
      const listed = await api.call('GET', '/v1/keys');
      expect(listed.body).toMatchObject({
        keys: expect.arrayContaining([
          expect.objectContaining({ keyId, label: 'fleet', state: 'active', prefix: `pal_${keyId}` }),
        ]),
      });
      expect(JSON.stringify(listed.body)).not.toContain(key);
      expect(JSON.stringify(listed.body)).not.toContain('hash');
    });

    it('are stored nowhere in clear, also with idempotent requests', async () => {
      const once = { 'idempotency-key': 'issue-once' };
      const first = await api.call('POST', '/v1/keys', { role: 'agent' }, once);
      expect(first.status).toBe(201);
      const again = await api.call('POST', '/v1/keys', { role: 'agent' }, once);
      expect(again).toMatchObject({ status: 422, body: { code: 'idempotency-key-reused' } });
      expect(JSON.stringify(again.body)).not.toContain('pal_');
      const showing = foundEndpoints().filter(
        ({ shows }) => shows.includes('key') || shows.includes('secret'),
      );
      expect(showing.filter(({ isSecret }) => !isSecret)).toEqual([]);
      expect(showing).toHaveLength(5);
    });

    it('are rejected if mistyped or revoked', async () => {
      const { key, keyId } = await issue({ role: 'agent' });
      expect((await whoami(`${key.slice(0, -1)}-`)).status).toBe(401);
      expect((await whoami(key.replace(/_.*_/, '_AAAAAAAAAAAA_'))).status).toBe(401);
      expect((await api.call('DELETE', `/v1/keys/${keyId}?reason=leaked`)).status).toBe(200);
      expect((await whoami(key)).status).toBe(401);
    });

    it('are rotated, and the old key is valid during the overlap only', async () => {
      const first = await issue({ role: 'auditor' });
      const overlapping = await api.call('POST', `/v1/keys/${first.keyId}/rotate`, { overlapSeconds: 3_600 });
      expect(overlapping).toMatchObject({ status: 201, body: { role: 'auditor', replaces: first.keyId } });
      const second = overlapping.body as Issued;
      expect((await whoami(first.key)).status).toBe(200);
      expect((await whoami(second.key)).status).toBe(200);
      expect((await api.call('POST', `/v1/keys/${first.keyId}/rotate`, {})).body).toMatchObject({
        code: 'key-inactive',
      });
      await api.call('POST', `/v1/keys/${second.keyId}/rotate`, { overlapSeconds: 0 });
      expect((await whoami(second.key)).status).toBe(401);
    });

    it('of a tenant registered by the operator grant access to that tenant only', async () => {
      const { operator } = service();
      const tenant = service().tenantName('acme');
      const registered = await operator.call('POST', '/v1/tenants', { tenant, name: 'Acme' });
      expect(registered).toMatchObject({ status: 201, body: { tenant, role: 'admin' } });
      const { key } = registered.body as Issued;
      expect(await whoami(key)).toMatchObject({ body: { tenant, role: 'admin' } });
      const again = await operator.call('POST', '/v1/tenants', { tenant, name: 'Acme' });
      expect(again).toMatchObject({ status: 409, body: { code: 'tenant-exists' } });
      const other = await operator.call('POST', '/v1/tenants', { tenant: 'other', name: 'O' }, withKey(key));
      expect(other).toMatchObject({ status: 403, body: { code: 'forbidden' } });
      const agent = await issue({ role: 'agent' }, key);
      expect((await api.call('GET', '/v1/keys', undefined, withKey(agent.key))).status).toBe(403);
    });
  });
