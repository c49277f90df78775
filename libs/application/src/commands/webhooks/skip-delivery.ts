import type { LogPosition, TenantId, WebhookId } from '@app/kernel';
import type { WebhookDeliveries, WebhookDelivery } from '@app/ports';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '../../sessions/session-store.js';
import type { TenantStore } from '../../tenants/tenant-store.js';
import { webhookIn } from '../../webhooks/webhook-in.js';

/** Skips a pending delivery, which becomes a dead letter and no longer blocks later ones of its session. */
export class SkipDelivery extends Command<WebhookDelivery> {
  constructor(
    readonly tenant: TenantId,
    readonly webhook: WebhookId,
    /** `reason` is recorded for auditors of the tenant. */
    readonly skip: { readonly position: LogPosition; readonly reason: string },
    readonly caller: Caller,
  ) {
    super();
  }
}

@CommandHandler(SkipDelivery)
export class SkipDeliveryHandler implements ICommandHandler<SkipDelivery> {
  constructor(
    private readonly tenants: TenantStore,
    private readonly deliveries: WebhookDeliveries,
  ) {}

  /** @throws {AppError} `webhook-not-found`, `delivery-not-found`, `delivery-not-pending`. */
  async execute({
    tenant,
    webhook,
    skip: { position, reason },
    caller,
  }: SkipDelivery): Promise<WebhookDelivery> {
    webhookIn((await this.tenants.load(tenant)).state, webhook);
    return this.deliveries.skip(tenant, webhook, position, async () => {
      const data = { tenantId: tenant, webhookId: webhook, position: String(position), reason };
      await this.tenants.execute(tenant, { type: 'SkipDelivery', data }, caller);
    });
  }
}
