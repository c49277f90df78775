import { type Actor, type IsoTime, invariant } from '@app/kernel';
import {
  type ApiKeyFacts,
  isLedgerEvent,
  isReadEvent,
  type LedgerEvent,
  type TenantDecision,
  type TenantEvent,
  type TenantEventOf,
} from './events.js';
import { DEFAULT_TENANT_LIMITS, recordedLimits } from './limits.js';
import { NO_RETENTION } from './retention.js';
import type { ApiKey, RegisteredTenant, TenantState, Webhook } from './state.js';
import { NO_SUMMARIZERS } from './summarizers.js';

/** Folds one recorded event into the state. Rejects nothing, because recorded events are facts. */
export const evolve = (state: TenantState, { event }: { readonly event: TenantEvent }): TenantState => {
  if (isReadEvent(event) || isLedgerEvent(event)) return state;
  // The log is beside the tenant's state, and there is one before the tenant is registered.
  if (event.type === 'LogKeyRotated') return state;
  if (event.type === 'TenantRegistered')
    return {
      status: 'registered',
      ...event.data,
      limits: DEFAULT_TENANT_LIMITS,
      ...{ keys: [], models: [], prompts: [], webhooks: [], secrets: [], summarizers: NO_SUMMARIZERS },
      retention: NO_RETENTION,
    };
  invariant(state.status === 'registered', `${event.type} is recorded for a tenant that is ${state.status}`);
  return change(state, event);
};

type Change = Exclude<TenantDecision, LedgerEvent | { readonly type: 'TenantRegistered' | 'LogKeyRotated' }>;

const change = (tenant: RegisteredTenant, event: Change): RegisteredTenant => {
  switch (event.type) {
    case 'ApiKeyIssued': {
      const { key, issuedBy, issuedAt } = event.data;
      return { ...tenant, keys: [...tenant.keys, issued(key, issuedBy, issuedAt)] };
    }
    case 'ApiKeyRotated':
      return rotate(tenant, event);
    case 'ApiKeyRevoked': {
      const { keyId, reason, revokedBy: by, revokedAt } = event.data;
      const revocation = { by, at: revokedAt, reason };
      return withKey(tenant, keyId, (key) => ({ ...key, revoked: true, revocation }));
    }
    case 'LimitsChanged':
      return { ...tenant, limits: recordedLimits(event) };
    case 'SummarizersConfigured': {
      const { default: byDefault, summarizers } = event.data;
      return { ...tenant, summarizers: { default: byDefault, summarizers } };
    }
    case 'RetentionDefaultsSet': {
      const { default: byDefault, profiles } = event.data;
      return { ...tenant, retention: { default: byDefault, profiles } };
    }
    case 'ModelConfigured': {
      const { model } = event.data;
      return { ...tenant, models: [...tenant.models.filter(({ id }) => id !== model.id), model] };
    }
    case 'ModelRemoved':
      return { ...tenant, models: tenant.models.filter(({ id }) => id !== event.data.model) };
    case 'PromptRegistered': {
      const { prompt, registeredBy, registeredAt } = event.data;
      return { ...tenant, prompts: [...tenant.prompts, { ...prompt, registeredBy, registeredAt }] };
    }
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
    case 'TenantEventSkipped':
      return tenant; // It concerns rows, not the tenant.
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

const changed = (one: Webhook, { data: { webhook } }: TenantEventOf<'WebhookChanged'>): Webhook =>
  one.webhookId === webhook.webhookId ? { ...one, ...webhook } : one;

const issued = (key: ApiKeyFacts, issuedBy: Actor, issuedAt: IsoTime): ApiKey => ({
  ...key,
  issuedAt,
  issuedBy,
  rotation: undefined,
  revocation: undefined,
  replacedBy: undefined,
  revoked: false,
});

const rotate = (tenant: RegisteredTenant, { data }: TenantEventOf<'ApiKeyRotated'>): RegisteredTenant => {
  const { keyId, validUntil, replacement, rotatedBy: by, rotatedAt } = data;
  const aged = withKey(tenant, keyId, (key) => ({
    ...key,
    expiresAt: validUntil,
    replacedBy: replacement.keyId,
    rotation: { by, at: rotatedAt },
  }));
  return { ...aged, keys: [...aged.keys, issued(replacement, by, rotatedAt)] };
};

const withKey = (
  tenant: RegisteredTenant,
  keyId: string,
  next: (key: ApiKey) => ApiKey,
): RegisteredTenant => ({
  ...tenant,
  keys: tenant.keys.map((key) => (key.keyId === keyId ? next(key) : key)),
});
