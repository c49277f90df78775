import { openProjector, openReadModels } from '@app/adapters/read-model-postgres';
import type { ApiKeyFacts, TenantEvent } from '@app/domain';
import { DEFAULT_TENANT_LIMITS } from '@app/domain';
import {
  Actor,
  IsoTime,
  KeyId,
  readsStream,
  SessionId,
  type StreamName,
  TenantId,
  Tokens,
  tenantStream,
} from '@app/kernel';
import { memoryDigests } from '@app/testing';
import { opened } from './support/events.js';
import { TestDatabase } from './support/read-model-database.js';
import { Running } from './support/running.js';
import { ScriptedLog } from './support/scripted-log.js';

const acme = TenantId('acme');
const time = IsoTime('2026-01-01T00:00:00Z');
const keyOf = (letter: string): ApiKeyFacts => ({
  keyId: KeyId(letter.repeat(12)),
  role: 'agent',
  permissions: ['content:read'],
  hash: letter.repeat(64),
  prefix: `pal_${letter.repeat(12)}`,
  label: 'fleet',
  expiresAt: null,
});
const [a, b, c] = [keyOf('a'), keyOf('b'), keyOf('c')];
const by = Actor('key:admin');
const limits = { ...DEFAULT_TENANT_LIMITS, tokensPerMinute: Tokens(7), concurrentCompactions: 5 };
const HISTORY: readonly TenantEvent[] = [
  { type: 'TenantRegistered', data: { tenantId: acme, name: 'Acme' } },
  { type: 'ApiKeyIssued', data: { key: a, issuedBy: by, issuedAt: time } },
  { type: 'ApiKeyIssued', data: { key: c, issuedBy: by, issuedAt: time } },
  {
    type: 'ApiKeyRotated',
    data: { keyId: a.keyId, validUntil: time, replacement: b, rotatedBy: by, rotatedAt: time },
  },
  { type: 'ApiKeyRevoked', data: { keyId: c.keyId, reason: 'leaked', revokedBy: by, revokedAt: time } },
  { type: 'LimitsChanged', data: { limits } },
];

/** Guarantee: decisions about a tenant are in the rows, except for secrets. */
describe('read models of a tenant', () => {
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

  it('have its name and limits', async () => {
    await given([tenantStream(acme), HISTORY]);
    expect(await test.table('tenants')).toMatchObject([
      {
        ...{ tenant: 'acme', name: 'Acme', tokens_per_minute: 7n, concurrent_compactions: 5n },
        registered_by: 'key-7',
      },
    ]);
  });

  it('have the operator’s defaults from the first event on', async () => {
    await given([tenantStream(TenantId('default')), [{ type: 'LimitsChanged', data: { limits } }]]);
    expect(await test.table('tenants')).toMatchObject([
      { tenant: 'default', tokens_per_minute: 7n, registered_at: null, registered_by: null },
    ]);
  });

  it('have its keys with their state, and the log position of that state', async () => {
    const log = await given([tenantStream(acme), HISTORY]);
    expect(await test.table('api_keys')).toMatchObject([
      { key: a.keyId, tenant: 'acme', replaced_by: b.keyId, expires_at: new Date(time), revoked: false },
      { key: b.keyId, replaced_by: null, expires_at: null, revoked: false },
      { key: c.keyId, revoked: true },
    ]);
    const records = await openReadModels(test.database, memoryDigests).apiKeys();
    expect(records.position).toBe(log.last());
    const known = records.keys.map(({ keyId, revoked, permissions }) => [keyId, revoked, permissions]).sort();
    expect(known).toEqual([
      [a.keyId, false, ['content:read']],
      [b.keyId, false, ['content:read']],
      [c.keyId, true, ['content:read']],
    ]);
  });

  it('are the same for any batch boundaries', async () => {
    const parts = HISTORY.map((event) => [tenantStream(acme), [event]] as const);
    await given(...parts);
    const whole = await test.table('api_keys');
    await test.clear();
    await given([tenantStream(acme), HISTORY]);
    expect(await test.table('api_keys')).toEqual(whole);
  });

  it('list all tenants for the operator, page by page in id order', async () => {
    const names = ['acme', 'globex', 'initech'];
    await given(
      ...names.map((name) => {
        const tenantId = TenantId(name);
        const event: TenantEvent = { type: 'TenantRegistered', data: { tenantId, name } };
        return [tenantStream(tenantId), [event]] as const;
      }),
    );
    const models = openReadModels(test.database, memoryDigests);
    const first = await models.tenants({ limit: 2 });
    expect(first).toMatchObject({ items: [{ tenant: 'acme' }, { tenant: 'globex' }], next: 'globex' });
    const second = await models.tenants({ limit: 2, after: TenantId('globex') });
    expect(second).toMatchObject({ items: [{ tenant: 'initech', registeredBy: 'key-7' }], next: null });
  });

  it('have an audit row per decision, which can be found by type, actor and time among session rows', async () => {
    const log = await given([tenantStream(acme), HISTORY]);
    const models = openReadModels(test.database, memoryDigests);
    const all = await models.audit({ tenant: acme, limit: 10, sort: 'position' });
    expect(all.map(({ session, type }) => [session, type])).toEqual([
      ['s-1', 'SessionOpened'],
      ...HISTORY.map(({ type }) => [null, type]),
    ]);
    const revoked = { tenant: acme, types: ['ApiKeyRevoked'], actor: 'key-7', limit: 10 } as const;
    expect(await models.audit({ ...revoked, since: time })).toMatchObject([
      { session: null, revision: 4, payload: { keyId: c.keyId, reason: 'leaked', revokedBy: by } },
    ]);
    expect(await models.audit({ ...revoked, until: time })).toEqual([]);
    expect((await models.auditTotals({ tenant: acme, by: 'type' })).events).toBe(HISTORY.length + 1);
    expect(JSON.stringify(await test.table('audit_events'), withText)).not.toContain(a.hash);
    const before = await tablesOfAudit();
    await rebuilt(log);
    expect(await tablesOfAudit()).toEqual(before);
  });

  it('find events in a time range although a decision precedes the first event of its hour', async () => {
    const log = new ScriptedLog();
    log.append(HISTORY, tenantStream(acme));
    log.append([opened()]);
    const running = new Running({ database: test.database, subscriptions: log });
    await running.reached(await log.head());
    await running.stop();
    const range = { tenant: acme, since: IsoTime('2020-01-01T00:00:00Z'), limit: 10 };
    expect(await openReadModels(test.database, memoryDigests).audit(range)).toHaveLength(HISTORY.length + 1);
  });

  const tablesOfAudit = async () => [await test.table('audit_events'), await test.table('audit_hours')];
  const rebuilt = (log: ScriptedLog) =>
    openProjector({ database: test.database, subscriptions: log, digests: memoryDigests }).rebuild(
      ['audit_events', 'audit_reads', 'tenants', 'api_keys'],
      new AbortController().signal,
    );

  it('record reads of facts and text, with the reader', async () => {
    const read = { endpoint: 'GET /v1/audit', filters: { session: 's-1' }, rows: 3 };
    const session = SessionId('s-1');
    const text = {
      endpoint: 'palimpsest export',
      session,
      revisions: { from: 0, to: 9 },
      reason: 'ticket 42',
    };
    const log = await given([
      readsStream(acme),
      [
        { type: 'AuditRead', data: read },
        { type: 'ContentRead', data: { ...text, filters: {} } },
      ],
    ]);
    const rows = await test.table('audit_reads');
    expect(rows).toMatchObject([
      { tenant: 'acme', actor: 'key-7', endpoint: 'GET /v1/audit', filters: { session: 's-1' }, rows: 3n },
      { kind: 'content', session: 's-1', first_revision: 0n, last_revision: 9n, rows: null },
    ]);
    const reads = (query: object) =>
      openReadModels(test.database, memoryDigests).auditReads({ tenant: acme, limit: 10, ...query });
    expect(await reads({ session })).toMatchObject([{ ...text, kind: 'content', rows: null }]);
    expect(await reads({ kind: 'audit' })).toMatchObject([{ ...read, session: null, revisions: null }]);
    expect(await reads({ actor: 'nobody' })).toEqual([]);
    await rebuilt(log);
    expect(await test.table('audit_reads')).toEqual(rows);
    expect(await test.table('tenants')).toEqual([]);
    expect(
      (await openReadModels(test.database, memoryDigests).audit({ tenant: acme, limit: 10 })).map(
        ({ type }) => type,
      ),
    ).toEqual(['SessionOpened']);
  });
});

/** Formats bigints as text. */
const withText = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value);
