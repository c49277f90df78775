import type { Webhook, WebhookSettings } from '@app/domain';
import type { TenantId, WebhookId } from '@app/kernel';
import type { WebhookSender } from '@app/ports';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '../../sessions/session-store.js';
import type { TenantStore } from '../../tenants/tenant-store.js';
import { webhookIn } from '../../webhooks/webhook-in.js';

/** Changes the settings of a webhook; absent ones keep their value. */
export class ChangeWebhook extends Command<Webhook> {
  constructor(
    readonly tenant: TenantId,
    readonly webhook: WebhookId,
    readonly settings: Partial<WebhookSettings>,
    readonly caller: Caller,
  ) {
    super();
  }
}

@CommandHandler(ChangeWebhook)
export class ChangeWebhookHandler implements ICommandHandler<ChangeWebhook> {
  constructor(
    private readonly tenants: TenantStore,
    private readonly sender: WebhookSender,
  ) {}

  /** @throws {AppError} `tenant-not-found`, `webhook-not-found`, `address-forbidden`. */
  async execute({ tenant, webhook, settings, caller }: ChangeWebhook): Promise<Webhook> {
    webhookIn((await this.tenants.load(tenant)).state, webhook);
    if (settings.url !== undefined) await this.sender.requireAllowed(settings.url);
    const data = { tenantId: tenant, webhookId: webhook, settings };
    const { state } = await this.tenants.execute(tenant, { type: 'ChangeWebhook', data }, caller);
    return webhookIn(state, webhook);
  }
}
