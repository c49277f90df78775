import { randomBytes, randomInt } from 'node:crypto';
import type { Webhook, WebhookSettings } from '@app/domain';
import { AppError, IsoTime, WebhookId } from '@app/kernel';
import { CommandOnTenant } from '../../command-and-query.js';
import { Handler, HandlesCommand } from '../../handlers.js';
import { webhookIn } from '../../webhooks/deliver.js';

/** `secret` signs deliveries; it is shown once. */
export type RegisteredWebhook = Webhook & { readonly secret: string };

/** Registers a webhook for new events of the tenant's sessions. */
export class RegisterWebhook extends CommandOnTenant<WebhookSettings, RegisteredWebhook> {}

@HandlesCommand(RegisterWebhook)
export class RegisterWebhookHandler extends Handler<
  RegisterWebhook,
  'tenants' | 'webhookSecrets' | 'sender' | 'clock'
> {
  /** @throws {AppError} `tenant-not-found`, `too-many-webhooks`, `address-forbidden`. */
  async execute({ tenant, input: settings, caller }: RegisterWebhook): Promise<RegisteredWebhook> {
    await this.parts.sender.requireAllowed(settings.url);
    const webhook = { webhookId: newWebhookId(), ...settings };
    const secret = newWebhookSecret();
    const now = this.parts.clock.now();
    // Stored before the event, since deliveries need it.
    await this.parts.webhookSecrets.add(tenant, webhook.webhookId, secret);
    const data = { tenantId: tenant, webhook, now };
    try {
      await this.parts.tenants.execute(tenant, { type: 'RegisterWebhook', data }, caller);
    } catch (error) {
      if (error instanceof AppError && error.code === 'too-many-webhooks')
        await this.parts.webhookSecrets.remove(tenant, webhook.webhookId);
      throw error;
    }
    return { ...webhook, registeredAt: now, secret };
  }
}

/** Changes the settings of a webhook; absent ones keep their value. */
export class ChangeWebhook extends CommandOnTenant<
  { readonly webhook: WebhookId; readonly settings: Partial<WebhookSettings> },
  Webhook
> {}

@HandlesCommand(ChangeWebhook)
export class ChangeWebhookHandler extends Handler<ChangeWebhook, 'tenants' | 'sender'> {
  /** @throws {AppError} `tenant-not-found`, `webhook-not-found`, `address-forbidden`. */
  async execute({ tenant, input: { webhook, settings }, caller }: ChangeWebhook): Promise<Webhook> {
    webhookIn((await this.parts.tenants.load(tenant)).state, webhook);
    if (settings.url !== undefined) await this.parts.sender.requireAllowed(settings.url);
    const data = { tenantId: tenant, webhookId: webhook, settings };
    const { state } = await this.parts.tenants.execute(tenant, { type: 'ChangeWebhook', data }, caller);
    return webhookIn(state, webhook);
  }
}

/** Removes a webhook with its pending deliveries and dead letters. */
export class RemoveWebhook extends CommandOnTenant<WebhookId, void> {}

@HandlesCommand(RemoveWebhook)
export class RemoveWebhookHandler extends Handler<RemoveWebhook, 'tenants'> {
  /** @throws {AppError} `tenant-not-found`, `webhook-not-found`. */
  async execute({ tenant, input: webhook, caller }: RemoveWebhook): Promise<void> {
    const data = { tenantId: tenant, webhookId: webhook };
    await this.parts.tenants.execute(tenant, { type: 'RemoveWebhook', data }, caller);
  }
}

export type RotatedWebhookSecret = {
  readonly webhookId: WebhookId;
  /** Shown once. */
  readonly secret: string;
  /** Until then, deliveries have signatures with both secrets. */
  readonly validUntil: IsoTime;
};

/** Rotates the signing secret; both secrets sign during the overlap. */
export class RotateWebhookSecret extends CommandOnTenant<
  { readonly webhook: WebhookId; readonly overlapSeconds: number },
  RotatedWebhookSecret
> {}

@HandlesCommand(RotateWebhookSecret)
export class RotateWebhookSecretHandler extends Handler<
  RotateWebhookSecret,
  'tenants' | 'webhookSecrets' | 'clock'
> {
  /** @throws {AppError} `tenant-not-found`, `webhook-not-found`. */
  async execute({
    tenant,
    input: { webhook, overlapSeconds },
    caller,
  }: RotateWebhookSecret): Promise<RotatedWebhookSecret> {
    webhookIn((await this.parts.tenants.load(tenant)).state, webhook);
    const now = this.parts.clock.now();
    const validUntil = IsoTime(new Date(Date.parse(now) + overlapSeconds * 1_000));
    const secret = newWebhookSecret();
    // The old secret expires last, so that a caller who was interrupted before the answer keeps a valid one.
    await this.parts.webhookSecrets.add(tenant, webhook, secret);
    const data = { tenantId: tenant, webhookId: webhook, validUntil, now };
    await this.parts.tenants.execute(tenant, { type: 'RotateWebhookSecret', data }, caller);
    await this.parts.webhookSecrets.retireOlder(tenant, webhook, validUntil);
    return { webhookId: webhook, secret, validUntil };
  }
}

const SECRET_BYTES = 32;
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Creates a secret in the form of Standard Webhooks: `whsec_` and Base64. */
const newWebhookSecret = (): string => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;

const newWebhookId = (): WebhookId =>
  WebhookId(`wh_${Array.from({ length: 12 }, () => DIGITS[randomInt(DIGITS.length)]).join('')}`);
