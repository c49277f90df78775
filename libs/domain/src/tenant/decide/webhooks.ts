import { AppError, isSameList, type WebhookId } from '@app/kernel';
import type { DecideForTenant } from '../commands.js';
import type { WebhookFacts } from '../events.js';
import type { RegisteredTenant } from '../state.js';

/** Each event is sent to each of them. */
const WEBHOOKS_MAX = 20;

export const registerWebhook: DecideForTenant<'RegisterWebhook'> = (
  { data: { webhook, now } },
  { webhooks },
) => {
  if (webhooks.some(({ webhookId }) => webhookId === webhook.webhookId)) return [];
  if (webhooks.length >= WEBHOOKS_MAX)
    throw new AppError('too-many-webhooks', `a tenant has at most ${WEBHOOKS_MAX} webhooks: remove one`);
  return [{ type: 'WebhookRegistered', data: { webhook, registeredAt: now } }];
};

export const changeWebhook: DecideForTenant<'ChangeWebhook'> = (
  { data: { webhookId, settings } },
  tenant,
) => {
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

export const removeWebhook: DecideForTenant<'RemoveWebhook'> = ({ data: { webhookId } }, tenant) => {
  requireWebhook(webhookId, tenant);
  return [{ type: 'WebhookRemoved', data: { webhookId } }];
};

export const rotateWebhookSecret: DecideForTenant<'RotateWebhookSecret'> = (
  { data: { webhookId, validUntil, now } },
  tenant,
) => {
  requireWebhook(webhookId, tenant);
  return [{ type: 'WebhookSecretRotated', data: { webhookId, validUntil, rotatedAt: now } }];
};

export const skipDelivery: DecideForTenant<'SkipDelivery'> = (
  { data: { webhookId, position, reason } },
  tenant,
) => {
  requireWebhook(webhookId, tenant);
  return [{ type: 'WebhookDeliverySkipped', data: { webhookId, position, reason } }];
};

const requireWebhook = (webhookId: WebhookId, { webhooks }: RegisteredTenant): WebhookFacts => {
  const found = webhooks.find((one) => one.webhookId === webhookId);
  if (!found) throw new AppError('webhook-not-found', `there is no webhook ${webhookId}`);
  const { registeredAt: _, ...facts } = found;
  return facts;
};
