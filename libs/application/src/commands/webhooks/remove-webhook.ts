import type { TenantId, WebhookId } from '@app/kernel';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '../../sessions/session-store.js';
import type { TenantStore } from '../../tenants/tenant-store.js';

/** Removes a webhook with its pending deliveries and dead letters. */
export class RemoveWebhook extends Command<void> {
  constructor(
    readonly tenant: TenantId,
    readonly webhook: WebhookId,
    readonly caller: Caller,
  ) {
    super();
  }
}

@CommandHandler(RemoveWebhook)
export class RemoveWebhookHandler implements ICommandHandler<RemoveWebhook> {
  constructor(private readonly tenants: TenantStore) {}

  /** @throws {AppError} `tenant-not-found`, `webhook-not-found`. */
  async execute({ tenant, webhook, caller }: RemoveWebhook): Promise<void> {
    const data = { tenantId: tenant, webhookId: webhook };
    await this.tenants.execute(tenant, { type: 'RemoveWebhook', data }, caller);
  }
}
