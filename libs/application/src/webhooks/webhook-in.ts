import type { TenantState, Webhook } from '@app/domain';
import { AppError, type WebhookId } from '@app/kernel';

/** @throws {AppError} `webhook-not-found`. */
export const webhookIn = (tenant: TenantState, webhookId: WebhookId): Webhook => {
  const webhooks = tenant.status === 'registered' ? tenant.webhooks : [];
  const found = webhooks.find((one) => one.webhookId === webhookId);
  if (found) return found;
  throw new AppError('webhook-not-found', `there is no webhook ${webhookId}`);
};
