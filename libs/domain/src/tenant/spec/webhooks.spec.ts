import { IsoTime, SessionId, TenantId, WebhookId } from '@app/kernel';
import { specificationOf } from '@app/testing';
import type { TenantCommand } from '../commands.js';
import { decide } from '../decide/decide.js';
import type { TenantEvent, WebhookFacts } from '../events.js';
import { evolve } from '../evolve.js';
import { initialTenant } from '../state.js';

const tenantId = TenantId('acme');
const decider = { initialState: initialTenant(tenantId), evolve, decide };
const given = specificationOf<ReturnType<typeof initialTenant>, TenantCommand, TenantEvent>(decider);

const now = IsoTime('2026-01-01T00:00:00Z');
const tenant: TenantEvent = { type: 'TenantRegistered', data: { tenantId, name: 'Acme' } };
const webhookOf = (letter: string): WebhookFacts => ({
  webhookId: WebhookId(`wh_${letter.repeat(12)}`),
  url: 'https://acme.example/hook',
  label: '',
  types: ['CompactionCompleted'],
  sessions: [SessionId('s-1')],
  content: 'none',
});
const a = webhookOf('a');
const { webhookId } = a;
const register = (webhook: WebhookFacts): TenantCommand => ({
  type: 'RegisterWebhook',
  data: { tenantId, webhook, now },
});
const registered = (webhook: WebhookFacts): TenantEvent => ({
  type: 'WebhookRegistered',
  data: { webhook, registeredAt: now },
});
const change = (settings: Partial<WebhookFacts>): TenantCommand => ({
  type: 'ChangeWebhook',
  data: { tenantId, webhookId, settings },
});
const remove: TenantCommand = { type: 'RemoveWebhook', data: { tenantId, webhookId } };
const removed: TenantEvent = { type: 'WebhookRemoved', data: { webhookId } };
const rotate: TenantCommand = {
  type: 'RotateWebhookSecret',
  data: { tenantId, webhookId, validUntil: now, now },
};

describe('webhooks of a tenant', () => {
  it('are registered once, and by a tenant only', () => {
    given(tenant).when(register(a)).then(registered(a));
    given(tenant, registered(a)).when(register(a)).thenNothing();
    given().when(register(a)).thenRefuses('tenant-not-found');
  });

  it('are limited to 20', () => {
    const twenty = Array.from({ length: 20 }, (_, at) =>
      registered(webhookOf('bcdefghijklmnopqrstu'.charAt(at))),
    );
    given(tenant, ...twenty)
      .when(register(a))
      .thenRefuses('too-many-webhooks');
  });

  it('are recorded in full when a field changes', () => {
    const changed = { ...a, types: [], label: 'new' };
    given(tenant, registered(a))
      .when(change({ types: [], label: 'new' }))
      .then({ type: 'WebhookChanged', data: { webhook: changed } });
    given(tenant, registered(a), { type: 'WebhookChanged', data: { webhook: changed } })
      .when(change({ label: 'new' }))
      .thenNothing();
  });

  it('are deleted once removed', () => {
    given(tenant, registered(a)).when(remove).then(removed);
    for (const command of [remove, rotate, change({ label: 'new' })])
      given(tenant, registered(a), removed).when(command).thenRefuses('webhook-not-found');
  });

  it('get new secrets, of which the log records only the time', () =>
    given(tenant, registered(a))
      .when(rotate)
      .then({ type: 'WebhookSecretRotated', data: { webhookId, validUntil: now, rotatedAt: now } }));
});
