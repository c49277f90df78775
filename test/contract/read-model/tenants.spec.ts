import { openReadModels } from '@app/adapters/read-model-postgres';
import type { ApiKeyFacts, TenantEvent } from '@app/domain';
import { DEFAULT_TENANT_LIMITS } from '@app/domain';
import { IsoTime, KeyId, readsStream, type StreamName, TenantId, Tokens, tenantStream } from '@app/kernel';
import { opened } from './support/events.js';
import { TestDatabase } from './support/read-model-database.js';
import { Running } from './support/running.js';
import { ScriptedLog } from './support/scripted-log.js';

const acme = TenantId('acme');
const time = IsoTime('2026-01-01T00:00:00Z');
const keyOf = (letter: string): ApiKeyFacts => ({
  keyId: KeyId(letter.repeat(12)),
  role: 'agent',
  hash: letter.repeat(64),
  prefix: `pal_${letter.repeat(12)}`,
  label: 'fleet',
  expiresAt: null,
});
const [a, b, c] = [keyOf('a'), keyOf('b'), keyOf('c')];
const limits = { ...DEFAULT_TENANT_LIMITS, tokensPerMinute: Tokens(7), concurrentCompactions: 5 };
const HISTORY: readonly TenantEvent[] = [
  { type: 'TenantRegistered', data: { tenantId: acme, name: 'Acme' } },
  { type: 'ApiKeyIssued', data: { key: a, issuedAt: time } },
  { type: 'ApiKeyIssued', data: { key: c, issuedAt: time } },
  { type: 'ApiKeyRotated', data: { keyId: a.keyId, validUntil: time, replacement: b, rotatedAt: time } },
  { type: 'ApiKeyRevoked', data: { keyId: c.keyId, reason: 'leaked' } },
  { type: 'LimitsChanged', data: { limits } },
];

/** Guarantee: what was decided for a tenant is in the rows, and what has no place in them is not. */
describe('the read models of a tenant', () => {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await TestDatabase.start();
  });
  afterAll(() => test.stop());
  beforeEach(() => test.clear());

  const given = async (...parts: readonly (readonly [StreamName, readonly TenantEvent[]])[]) => {
    const log = new ScriptedLog();
    log.append([opened()]);
    for (const [stream, events] of parts) log.append(events, stream);
    const running = new Running({ database: test.database, subscriptions: log });
    await running.reached(await log.head());
    await running.stop();
    return log;
  };

  it('are its name and its limits', async () => {
    await given([tenantStream(acme), HISTORY]);
    expect(await test.table('tenants')).toMatchObject([
      { tenant: 'acme', name: 'Acme', tokens_per_minute: 7n, concurrent_compactions: 5n },
    ]);
  });

  it('are those of the operator from the first event on', async () => {
    await given([tenantStream(TenantId('default')), [{ type: 'LimitsChanged', data: { limits } }]]);
    expect(await test.table('tenants')).toMatchObject([{ tenant: 'default', tokens_per_minute: 7n }]);
  });

  it('are its keys with what has become of them, and the place in the log that they are as of', async () => {
    const log = await given([tenantStream(acme), HISTORY]);
    expect(await test.table('api_keys')).toMatchObject([
      { key: a.keyId, tenant: 'acme', replaced_by: b.keyId, expires_at: new Date(time), revoked: false },
      { key: b.keyId, replaced_by: null, expires_at: null, revoked: false },
      { key: c.keyId, revoked: true },
    ]);
    const records = await openReadModels(test.database).apiKeys();
    expect(records.position).toBe(log.last());
    const known = records.keys.map(({ keyId, revoked }) => [keyId, revoked]).sort();
    expect(known).toEqual([
      [a.keyId, false],
      [b.keyId, false],
      [c.keyId, true],
    ]);
  });

  it('are the same however the log is parted', async () => {
    const parts = HISTORY.map((event) => [tenantStream(acme), [event]] as const);
    await given(...parts);
    const whole = await test.table('api_keys');
    await test.clear();
    await given([tenantStream(acme), HISTORY]);
    expect(await test.table('api_keys')).toEqual(whole);
  });

  it('are who has read what of its records', async () => {
    const read = { endpoint: 'GET /v1/audit', filters: { session: 's-1' }, rows: 3 };
    await given([readsStream(acme), [{ type: 'AuditRead', data: read }]]);
    expect(await test.table('audit_reads')).toMatchObject([
      { tenant: 'acme', actor: 'key-7', endpoint: 'GET /v1/audit', filters: { session: 's-1' }, rows: 3n },
    ]);
    expect(await test.table('tenants')).toEqual([]);
  });
});
