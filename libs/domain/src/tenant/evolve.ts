import { invariant } from '@app/kernel';
import { DEFAULT_TENANT_LIMITS, recordedLimits } from './default-limits.js';
import type { ApiKeyRotated, TenantEvent, WebhookChanged } from './events.js';
import type { ApiKey, RegisteredTenant, TenantState, Webhook } from './state.js';
import { NO_SUMMARIZERS } from './summarizers.js';

/** Folds one recorded fact into the state. It refuses nothing: what is recorded has happened. */
export const evolve = (state: TenantState, { event }: { readonly event: TenantEvent }): TenantState => {
  switch (event.type) {
    case 'TenantRegistered':
      return {
        ...{ status: 'registered', ...event.data, limits: DEFAULT_TENANT_LIMITS },
        ...{ keys: [], models: [], webhooks: [], secrets: [], summarizers: NO_SUMMARIZERS },
      };
    case 'AuditRead':
      return state; // It stands in a stream of its own, and nothing is decided by it.
    default:
      invariant(
        state.status === 'registered',
        `${event.type} is recorded for a tenant that is ${state.status}`,
      );
      return change(state, event);
  }
};

type Change = Exclude<TenantEvent, { readonly type: 'TenantRegistered' | 'AuditRead' }>;

const change = (tenant: RegisteredTenant, event: Change): RegisteredTenant => {
  switch (event.type) {
    case 'ApiKeyIssued': {
      const { key, issuedAt } = event.data;
      const issued = { ...key, issuedAt, replacedBy: undefined, revoked: false };
      return { ...tenant, keys: [...tenant.keys, issued] };
    }
    case 'ApiKeyRotated':
      return rotate(tenant, event);
    case 'ApiKeyRevoked':
      return withKey(tenant, event.data.keyId, (key) => ({ ...key, revoked: true }));
    case 'LimitsChanged':
      return { ...tenant, limits: recordedLimits(event) };
    case 'SummarizersConfigured': {
      const { default: byDefault, summarizers } = event.data;
      return { ...tenant, summarizers: { default: byDefault, summarizers } };
    }
    case 'ModelDescribed': {
      const { model } = event.data;
      return { ...tenant, models: [...tenant.models.filter(({ id }) => id !== model.id), model] };
    }
    case 'ModelForgotten':
      return { ...tenant, models: tenant.models.filter(({ id }) => id !== event.data.model) };
    case 'WebhookRegistered': {
      const { webhook, registeredAt } = event.data;
      return { ...tenant, webhooks: [...tenant.webhooks, { ...webhook, registeredAt }] };
    }
    case 'WebhookChanged':
      return { ...tenant, webhooks: tenant.webhooks.map((one) => changed(one, event)) };
    case 'WebhookRemoved': {
      const webhooks = tenant.webhooks.filter(({ webhookId }) => webhookId !== event.data.webhookId);
      return { ...tenant, webhooks };
    }
    case 'WebhookDeliverySkipped':
      return tenant; // Deliveries stand beside the log.
    case 'WebhookSecretRotated':
      return tenant; // What signs is not in the log, and so nothing of it in the state.
    case 'SecretStored': {
      const { name } = event.data;
      return { ...tenant, secrets: [...tenant.secrets.filter((one) => one !== name), name] };
    }
    case 'SecretRemoved':
      return { ...tenant, secrets: tenant.secrets.filter((one) => one !== event.data.name) };
  }
};

const changed = (one: Webhook, { data: { webhook } }: WebhookChanged): Webhook =>
  one.webhookId === webhook.webhookId ? { ...one, ...webhook } : one;

const rotate = (tenant: RegisteredTenant, { data }: ApiKeyRotated): RegisteredTenant => {
  const { keyId, validUntil, replacement, rotatedAt } = data;
  const aged = withKey(tenant, keyId, (key) => ({
    ...key,
    expiresAt: validUntil,
    replacedBy: replacement.keyId,
  }));
  const fresh = { ...replacement, issuedAt: rotatedAt, replacedBy: undefined, revoked: false };
  return { ...aged, keys: [...aged.keys, fresh] };
};

const withKey = (
  tenant: RegisteredTenant,
  keyId: string,
  next: (key: ApiKey) => ApiKey,
): RegisteredTenant => ({
  ...tenant,
  keys: tenant.keys.map((key) => (key.keyId === keyId ? next(key) : key)),
});
