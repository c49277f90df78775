import { Actor, IsoTime, KeyId, TenantId, Tokens } from '@app/kernel';
import { specificationOf } from '@app/testing';
import type { TenantCommand } from '../commands.js';
import { decide } from '../decide/decide.js';
import type { ApiKeyFacts, TenantEvent } from '../events.js';
import { evolve } from '../evolve.js';
import { DEFAULT_TENANT_LIMITS } from '../limits.js';
import { permissionsOf } from '../role.js';
import { countsAt, initialTenant, OPERATOR_TENANT } from '../state.js';

const tenantId = TenantId('acme');
const decider = { initialState: initialTenant(tenantId), evolve, decide };
const given = specificationOf<ReturnType<typeof initialTenant>, TenantCommand, TenantEvent>(decider);

const at = (minute: number): IsoTime => IsoTime(new Date(Date.UTC(2026, 0, 1, 0, minute)));
const keyOf = (letter: string, expiresAt: IsoTime | null = null): ApiKeyFacts => ({
  keyId: KeyId(letter.repeat(12)),
  role: 'agent',
  permissions: ['content:read'],
  hash: letter.repeat(64),
  prefix: `pal_${letter.repeat(12)}`,
  label: 'the fleet',
  expiresAt,
});
const registered: TenantEvent = { type: 'TenantRegistered', data: { tenantId, name: 'Acme' } };
const by = Actor('key:admin');
const issued = (key: ApiKeyFacts): TenantEvent => ({
  type: 'ApiKeyIssued',
  data: { key, issuedBy: by, issuedAt: at(0) },
});
const issue = (key: ApiKeyFacts): TenantCommand => ({
  type: 'IssueApiKey',
  data: { tenantId, key, by, now: at(0) },
});
const [a, b, c] = [keyOf('a'), keyOf('b'), keyOf('c')];
const { role: _role, permissions: _permissions, label: _label, ...replacement } = b;
const rotate = (keyId: KeyId, now = at(10)): TenantCommand => ({
  type: 'RotateApiKey',
  data: { tenantId, keyId, replacement, validUntil: at(60), by, now },
});
const rotated = (validUntil = at(60)): TenantEvent => ({
  type: 'ApiKeyRotated',
  data: { keyId: a.keyId, validUntil, replacement: b, rotatedBy: by, rotatedAt: at(10) },
});
const revoke = (keyId: KeyId): TenantCommand => ({
  type: 'RevokeApiKey',
  data: { tenantId, keyId, reason: 'leaked', by, now: at(12) },
});
const revoked: TenantEvent = {
  type: 'ApiKeyRevoked',
  data: { keyId: a.keyId, reason: 'leaked', revokedBy: by, revokedAt: at(12) },
};

describe('registering a tenant', () => {
  const register: TenantCommand = {
    type: 'RegisterTenant',
    data: { tenantId, name: 'Acme', key: a, by, now: at(0) },
  };
  it('records it with its first key', () => given().when(register).then(registered, issued(a)));
  it('is rejected for an existing name', () => given(registered).when(register).thenRefuses('tenant-exists'));
  it('is rejected for the built-in operator tenant', () =>
    specificationOf<ReturnType<typeof initialTenant>, TenantCommand, TenantEvent>({
      ...decider,
      initialState: initialTenant(OPERATOR_TENANT),
    })()
      .when(register)
      .thenRefuses('tenant-exists'));
});

describe('keys of a tenant', () => {
  it('are issued once', () => {
    given(registered).when(issue(a)).then(issued(a));
    given(registered, issued(a)).when(issue(a)).thenNothing();
  });
  it('are issued and rotated up to 1,000 valid ones, of which revoked and expired ones are none', () => {
    const many = (count: number): readonly TenantEvent[] =>
      Array.from({ length: count }, (_, at) =>
        issued({ ...c, keyId: KeyId(String(at).padStart(12, '0')), hash: String(at).padStart(64, '0') }),
      );
    given(registered, issued(a), ...many(999))
      .when(issue(b))
      .thenRefuses('too-many-keys');
    given(registered, issued(a), ...many(999))
      .when(rotate(a.keyId))
      .thenRefuses('too-many-keys');
    given(registered, issued(a), ...many(999), revoked)
      .when(issue(b))
      .then(issued(b));
    given(registered, issued(keyOf('a', at(0))), ...many(999))
      .when(issue(b))
      .then(issued(b));
  });
  it('are not issued to an unknown tenant', () => given().when(issue(a)).thenRefuses('tenant-not-found'));

  it('are rotated to a new key with the same role, permissions and label', () =>
    given(registered, issued(a)).when(rotate(a.keyId)).then(rotated()));
  it('record who issued, rotated and revoked them, and when', () => {
    const events = [registered, issued(a), rotated(), revoked];
    const state = events.reduce((now, event) => evolve(now, { event }), initialTenant(tenantId));
    const keys = state.status === 'registered' ? state.keys : [];
    expect(keys).toMatchObject([
      {
        ...{ keyId: a.keyId, issuedBy: by, issuedAt: at(0), rotation: { by, at: at(10) } },
        revocation: { by, at: at(12), reason: 'leaked' },
      },
      { keyId: b.keyId, issuedBy: by, issuedAt: at(10), rotation: undefined, revocation: undefined },
    ]);
  });
  it('keep an earlier expiry on rotation', () =>
    given(registered, issued({ ...a, expiresAt: at(20) }))
      .when(rotate(a.keyId))
      .then(rotated(at(20))));
  it('are rotated once', () => {
    given(registered, issued(a), rotated()).when(rotate(a.keyId)).thenNothing();
    given(registered, issued(a), issued(c), rotated())
      .when({
        type: 'RotateApiKey',
        data: { tenantId, keyId: a.keyId, replacement: c, validUntil: at(60), by, now: at(11) },
      })
      .thenRefuses('key-inactive');
  });
  it('are not rotated after they expired or were revoked', () => {
    given(registered, issued(a), revoked).when(rotate(a.keyId)).thenRefuses('key-inactive');
    given(registered, issued({ ...a, expiresAt: at(10) }))
      .when(rotate(a.keyId))
      .thenRefuses('key-inactive');
  });
  it('are revoked once, and only if they exist', () => {
    given(registered, issued(a)).when(revoke(a.keyId)).then(revoked);
    given(registered, issued(a), revoked).when(revoke(a.keyId)).thenNothing();
    given(registered).when(revoke(a.keyId)).thenRefuses('key-not-found');
    given(registered, issued(a)).when(rotate(c.keyId)).thenRefuses('key-not-found');
  });

  it('are valid until the instant of expiry, and never after revocation', () => {
    const key = { revoked: false, expiresAt: at(1) };
    expect(countsAt(key, at(0))).toBe(true);
    expect(countsAt(key, at(1))).toBe(false);
    expect(countsAt({ revoked: true, expiresAt: null }, at(0))).toBe(false);
  });
});

describe('limits of a tenant', () => {
  const change = (tokens: number): TenantCommand => ({
    type: 'ChangeLimits',
    data: { tenantId, limits: { tokensPerMinute: Tokens(tokens) } },
  });
  const changed: TenantEvent = {
    type: 'LimitsChanged',
    data: { limits: { ...DEFAULT_TENANT_LIMITS, tokensPerMinute: Tokens(7) } },
  };
  it('are recorded in full when one of them changes', () => {
    given(registered).when(change(7)).then(changed);
    given(registered, changed).when(change(7)).thenNothing();
  });
  it('default to the current value if an event lacks a limit', () => {
    const { concurrentCompactions, ...older } = DEFAULT_TENANT_LIMITS;
    const changed: TenantEvent = { type: 'LimitsChanged', data: { limits: older } };
    const limits = { concurrentCompactions };
    given(registered, changed).when({ type: 'ChangeLimits', data: { tenantId, limits } }).thenNothing();
  });
});

describe('permissions of a key', () => {
  it.each([
    ['agent', ['content:read']],
    ['admin', ['content:read', 'retention:shorten']],
    ['auditor', []],
    ['operator', []],
  ] as const)('of role %s are %j, where none is granted besides', (role, permissions) => {
    expect(permissionsOf(role)).toEqual(permissions);
  });
  it('are those of the role plus the granted ones, without duplicates', () => {
    expect(permissionsOf('auditor', ['content:read', 'content:read'])).toEqual(['content:read']);
    expect(permissionsOf('agent', ['content:read'])).toEqual(['content:read']);
  });
});
