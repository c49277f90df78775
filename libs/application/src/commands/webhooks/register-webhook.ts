import type { Webhook, WebhookSettings } from '@app/domain';
import { AppError } from '@app/kernel';
import type { Clock, WebhookSecrets, WebhookSender } from '@app/ports';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandOnTenant } from '../../command-and-query.js';
import type { TenantStore } from '../../tenants/tenant-store.js';
import { newWebhookId, newWebhookSecret } from '../../webhooks/webhook-secret.js';

/** `secret` signs deliveries; it is shown once. */
export type RegisteredWebhook = Webhook & { readonly secret: string };

/** Registers a webhook for new events of the tenant's sessions. */
export class RegisterWebhook extends CommandOnTenant<WebhookSettings, RegisteredWebhook> {}

@CommandHandler(RegisterWebhook)
export class RegisterWebhookHandler implements ICommandHandler<RegisterWebhook> {
  constructor(
    private readonly tenants: TenantStore,
    private readonly secrets: WebhookSecrets,
    private readonly sender: WebhookSender,
    private readonly clock: Clock,
  ) {}

  /** @throws {AppError} `tenant-not-found`, `too-many-webhooks`, `address-forbidden`. */
  async execute({ tenant, input: settings, caller }: RegisterWebhook): Promise<RegisteredWebhook> {
    await this.sender.requireAllowed(settings.url);
    const webhook = { webhookId: newWebhookId(), ...settings };
    const secret = newWebhookSecret();
    const now = this.clock.now();
    // Stored before the event, since deliveries need it.
    await this.secrets.add(tenant, webhook.webhookId, secret);
    const data = { tenantId: tenant, webhook, now };
    try {
      await this.tenants.execute(tenant, { type: 'RegisterWebhook', data }, caller);
    } catch (error) {
      if (error instanceof AppError && error.code === 'too-many-webhooks')
        await this.secrets.remove(tenant, webhook.webhookId);
      throw error;
    }
    return { ...webhook, registeredAt: now, secret };
  }
}
