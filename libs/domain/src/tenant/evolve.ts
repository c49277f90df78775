import { invariant } from '@app/kernel';
import { DEFAULT_TENANT_LIMITS, recordedLimits } from './default-limits.js';
import type { ApiKeyRotated, TenantEvent } from './events.js';
import type { ApiKey, RegisteredTenant, TenantState } from './state.js';

/** Folds one recorded fact into the state. It refuses nothing: what is recorded has happened. */
export const evolve = (state: TenantState, { event }: { readonly event: TenantEvent }): TenantState => {
  switch (event.type) {
    case 'TenantRegistered':
      return {
        ...{ status: 'registered', ...event.data, limits: DEFAULT_TENANT_LIMITS },
        ...{ keys: [], webhooks: [], secrets: [] },
      };
    case 'ApiKeyIssued': {
      const { key, issuedAt } = event.data;
      const tenant = registered(state, event);
      return {
        ...tenant,
        keys: [...tenant.keys, { ...key, issuedAt, replacedBy: undefined, revoked: false }],
      };
    }
    case 'ApiKeyRotated':
      return rotate(registered(state, event), event);
    case 'ApiKeyRevoked':
      return withKey(registered(state, event), event.data.keyId, (key) => ({ ...key, revoked: true }));
    case 'LimitsChanged':
      return { ...registered(state, event), limits: recordedLimits(event) };
    case 'WebhookRegistered': {
      const { webhook, registeredAt } = event.data;
      const tenant = registered(state, event);
      return { ...tenant, webhooks: [...tenant.webhooks, { ...webhook, registeredAt }] };
    }
    case 'WebhookChanged': {
      const { webhook } = event.data;
      const tenant = registered(state, event);
      const webhooks = tenant.webhooks.map((one) =>
        one.webhookId === webhook.webhookId ? { ...one, ...webhook } : one,
      );
      return { ...tenant, webhooks };
    }
    case 'WebhookRemoved': {
      const tenant = registered(state, event);
      const webhooks = tenant.webhooks.filter(({ webhookId }) => webhookId !== event.data.webhookId);
      return { ...tenant, webhooks };
    }
    case 'WebhookDeliverySkipped':
      return registered(state, event); // Deliveries stand beside the log.
    case 'WebhookSecretRotated':
      return registered(state, event); // What signs is not in the log, and so nothing of it in the state.
    case 'SecretStored': {
      const tenant = registered(state, event);
      const { name } = event.data;
      return { ...tenant, secrets: [...tenant.secrets.filter((one) => one !== name), name] };
    }
    case 'SecretRemoved': {
      const tenant = registered(state, event);
      return { ...tenant, secrets: tenant.secrets.filter((one) => one !== event.data.name) };
    }
    case 'AuditRead':
      return state; // It stands in a stream of its own, and nothing is decided by it.
  }
};

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
  change: (key: ApiKey) => ApiKey,
): RegisteredTenant => ({
  ...tenant,
  keys: tenant.keys.map((key) => (key.keyId === keyId ? change(key) : key)),
});

const registered = (state: TenantState, event: TenantEvent): RegisteredTenant => {
  invariant(state.status === 'registered', `${event.type} is recorded for a tenant that is ${state.status}`);
  return state;
};
