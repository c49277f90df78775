import { IsoTime, SecretName, TenantId } from '@app/kernel';
import { specificationOf } from '@app/testing';
import type { TenantCommand } from '../commands.js';
import { decide } from '../decide/decide.js';
import type { TenantEvent } from '../events.js';
import { evolve } from '../evolve.js';
import { initialTenant } from '../state.js';

const tenantId = TenantId('acme');
const decider = { initialState: initialTenant(tenantId), evolve, decide };
const given = specificationOf<ReturnType<typeof initialTenant>, TenantCommand, TenantEvent>(decider);

const now = IsoTime('2026-01-01T00:00:00Z');
const tenant: TenantEvent = { type: 'TenantRegistered', data: { tenantId, name: 'Acme' } };
const store = (name: string): TenantCommand => ({
  type: 'StoreSecret',
  data: { tenantId, name: SecretName(name), now },
});
const stored = (name: string): TenantEvent => ({
  type: 'SecretStored',
  data: { name: SecretName(name), storedAt: now },
});
const remove = (name: string): TenantCommand => ({
  type: 'RemoveSecret',
  data: { tenantId, name: SecretName(name) },
});
const removed = (name: string): TenantEvent => ({ type: 'SecretRemoved', data: { name: SecretName(name) } });

describe('secrets of a tenant', () => {
  it('are recorded for each new value, without the value', () => {
    given(tenant).when(store('a')).then(stored('a'));
    given(tenant, stored('a')).when(store('a')).then(stored('a'));
    given().when(store('a')).thenRefuses('tenant-not-found');
  });

  it('are limited to 100, and an existing one can always be replaced', () => {
    const hundred = Array.from({ length: 100 }, (_, at) => stored(`s${at}`));
    given(tenant, ...hundred.slice(1))
      .when(store('s0'))
      .then(stored('s0'));
    given(tenant, ...hundred)
      .when(store('one-more'))
      .thenRefuses('too-many-secrets');
    given(tenant, ...hundred)
      .when(store('s0'))
      .then(stored('s0'));
    given(tenant, ...hundred, stored('s0'))
      .when(store('one-more'))
      .thenRefuses('too-many-secrets');
    given(tenant, ...hundred, removed('s7'))
      .when(store('one-more'))
      .then(stored('one-more'));
  });

  it('are removed once', () => {
    given(tenant, stored('a')).when(remove('a')).then(removed('a'));
    given(tenant, stored('a'), removed('a')).when(remove('a')).thenRefuses('secret-not-found');
    given(tenant).when(remove('a')).thenRefuses('secret-not-found');
  });
});
