import type { WebhookId } from '@app/kernel';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandOnTenant } from '../../command-and-query.js';
import type { TenantStore } from '../../tenants/tenant-store.js';

/** Removes a webhook with its pending deliveries and dead letters. */
export class RemoveWebhook extends CommandOnTenant<WebhookId, void> {}

@CommandHandler(RemoveWebhook)
export class RemoveWebhookHandler implements ICommandHandler<RemoveWebhook> {
  constructor(private readonly tenants: TenantStore) {}

  /** @throws {AppError} `tenant-not-found`, `webhook-not-found`. */
  async execute({ tenant, input: webhook, caller }: RemoveWebhook): Promise<void> {
    const data = { tenantId: tenant, webhookId: webhook };
    await this.tenants.execute(tenant, { type: 'RemoveWebhook', data }, caller);
  }
}
