import type { TenantEvent } from '@app/domain';
import { Actor, IsoTime, readsStream, TenantId } from '@app/kernel';
import { openMemoryLog } from '@app/testing';
import {
  IssueApiKey,
  IssueApiKeyHandler,
  RotateApiKey,
  RotateApiKeyHandler,
} from '../commands/tenants/api-keys.js';
import { RecordAuditRead, RecordAuditReadHandler } from '../commands/tenants/record-reads.js';
import { RegisterTenant, RegisterTenantHandler } from '../commands/tenants/register-tenant.js';
import { hashOf, keyIdIn, newApiKey } from './api-key.js';
import { TenantStore } from './tenant-store.js';

const acme = TenantId('acme');
const operator = TenantId('default');
const caller = { actor: Actor('key:tester') };
const clock = { now: () => IsoTime('2026-01-01T00:00:00Z') };
const input = { role: 'agent', label: 'fleet', expiresAt: null } as const;

describe('the tenant store', () => {
  it('records every key once, whichever writer loses a race', async () => {
    const { tenantLog } = openMemoryLog();
    const stores = [1, 2, 3].map(() => new TenantStore(tenantLog));
    const issuing = stores.flatMap((store) =>
      Array.from({ length: 5 }, () =>
        new IssueApiKeyHandler({ tenants: store, clock }).execute(new IssueApiKey(operator, input, caller)),
      ),
    );
    const keys = await Promise.all(issuing);
    const { state } = await new TenantStore(tenantLog).load(operator);
    expect(state).toMatchObject({ keys: { length: 15 } });
    expect(new Set(keys.map(({ key }) => key)).size).toBe(15);
  });

  it('notifies listeners of recorded events without the key', async () => {
    const { tenantLog } = openMemoryLog();
    const store = new TenantStore(tenantLog);
    const heard: TenantEvent[] = [];
    store.onRecorded((_, events) => heard.push(...events));
    const registering = new RegisterTenant(acme, 'Acme', operator, caller);
    const first = await new RegisterTenantHandler({ tenants: store, clock }).execute(registering);
    expect(heard.map(({ type }) => type)).toEqual(['TenantRegistered', 'ApiKeyIssued']);
    expect(JSON.stringify(heard)).not.toContain(first.key);
    expect(JSON.stringify(heard)).toContain(hashOf(first.key));
  });

  it('registers a tenant for operators only', async () => {
    const handler = new RegisterTenantHandler({ tenants: new TenantStore(openMemoryLog().tenantLog), clock });
    const registering = handler.execute(new RegisterTenant(TenantId('other'), 'Other', acme, caller));
    await expect(registering).rejects.toMatchObject({ code: 'forbidden' });
  });

  it('accepts a rotated key until the end of the overlap', async () => {
    const store = new TenantStore(openMemoryLog().tenantLog);
    const { keyId } = await new IssueApiKeyHandler({ tenants: store, clock }).execute(
      new IssueApiKey(operator, input, caller),
    );
    const rotation = { overlapSeconds: 90, expiresAt: null };
    const rotated = await new RotateApiKeyHandler({ tenants: store, clock }).execute(
      new RotateApiKey(operator, { keyId, ...rotation }, caller),
    );
    expect(rotated).toMatchObject({ replaces: keyId, role: 'agent', validUntil: '2026-01-01T00:01:30.000Z' });
  });

  it('records reads beside decisions', async () => {
    const { tenantLog } = openMemoryLog();
    const reads = new RecordAuditReadHandler({ tenantLog, keys: { subjectRefs: async () => [] } });
    const read = { endpoint: 'GET /v1/audit', filters: { session: 's-1' }, rows: 3 };
    await Promise.all([1, 2, 3].map(() => reads.execute(new RecordAuditRead(acme, read, caller))));
    const recorded = [];
    for await (const { event, context } of tenantLog.readForwards(readsStream(acme)))
      recorded.push([context.actor, event]);
    const expected = ['key:tester', { type: 'AuditRead', data: read }];
    expect(recorded).toEqual([expected, expected, expected]);
    expect(await new TenantStore(tenantLog).load(acme)).toMatchObject({ state: { status: 'absent' } });
  });
});

describe('an API key', () => {
  it('contains its ID and a checksum that detects typing errors', () => {
    const { secret, kept } = newApiKey();
    expect(secret).toMatch(/^pal_[A-Za-z0-9]{12}_[A-Za-z0-9]{49}$/);
    expect(keyIdIn(secret)).toBe(kept.keyId);
    const mistyped = secret.replace(/.$/, (last) => (last === 'x' ? 'y' : 'x'));
    expect([mistyped, secret.slice(1), '', `${secret} `].map(keyIdIn)).toEqual(Array(4).fill(undefined));
  });
});
