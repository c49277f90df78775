import { AppError, type WebhookId } from '@app/kernel';
import type {
  ChangeWebhookCommand,
  RegisterWebhookCommand,
  RemoveWebhookCommand,
  RotateWebhookSecretCommand,
  SkipDeliveryCommand,
} from '../commands.js';
import type { TenantEvent, WebhookFacts } from '../events.js';
import type { RegisteredTenant } from '../state.js';

/** Each event is sent to each of them. */
const WEBHOOKS_MAX = 20;

export const registerWebhook = (
  { data: { webhook, now } }: RegisterWebhookCommand,
  { webhooks }: RegisteredTenant,
): readonly TenantEvent[] => {
  if (webhooks.some(({ webhookId }) => webhookId === webhook.webhookId)) return [];
  if (webhooks.length >= WEBHOOKS_MAX)
    throw new AppError('too-many-webhooks', `a tenant has at most ${WEBHOOKS_MAX} webhooks: remove one`);
  return [{ type: 'WebhookRegistered', data: { webhook, registeredAt: now } }];
};

export const changeWebhook = (
  { data: { webhookId, settings } }: ChangeWebhookCommand,
  tenant: RegisteredTenant,
): readonly TenantEvent[] => {
  const known = requireWebhook(webhookId, tenant);
  const changed = { ...known, ...settings };
  const isSame =
    changed.url === known.url &&
    changed.label === known.label &&
    changed.content === known.content &&
    isSameList(changed.types, known.types) &&
    isSameList(changed.sessions, known.sessions);
  return isSame ? [] : [{ type: 'WebhookChanged', data: { webhook: changed } }];
};

export const removeWebhook = (
  { data: { webhookId } }: RemoveWebhookCommand,
  tenant: RegisteredTenant,
): readonly TenantEvent[] => {
  requireWebhook(webhookId, tenant);
  return [{ type: 'WebhookRemoved', data: { webhookId } }];
};

export const rotateWebhookSecret = (
  { data: { webhookId, validUntil, now } }: RotateWebhookSecretCommand,
  tenant: RegisteredTenant,
): readonly TenantEvent[] => {
  requireWebhook(webhookId, tenant);
  return [{ type: 'WebhookSecretRotated', data: { webhookId, validUntil, rotatedAt: now } }];
};

export const skipDelivery = (
  { data: { webhookId, position, reason } }: SkipDeliveryCommand,
  tenant: RegisteredTenant,
): readonly TenantEvent[] => {
  requireWebhook(webhookId, tenant);
  return [{ type: 'WebhookDeliverySkipped', data: { webhookId, position, reason } }];
};

const requireWebhook = (webhookId: WebhookId, { webhooks }: RegisteredTenant): WebhookFacts => {
  const found = webhooks.find((one) => one.webhookId === webhookId);
  if (!found) throw new AppError('webhook-not-found', `there is no webhook ${webhookId}`);
  const { registeredAt: _, ...facts } = found;
  return facts;
};

const isSameList = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((one, at) => one === b[at]);
