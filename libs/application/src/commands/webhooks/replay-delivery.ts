import type { LogPosition, TenantId, WebhookId } from '@app/kernel';
import type { Clock, WebhookDeliveries, WebhookDelivery } from '@app/ports';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { TenantStore } from '../../tenants/tenant-store.js';
import { webhookIn } from '../../webhooks/webhook-in.js';

/** Replays a dead letter from its first attempt. */
export class ReplayDelivery extends Command<WebhookDelivery> {
  constructor(
    readonly tenant: TenantId,
    readonly webhook: WebhookId,
    readonly position: LogPosition,
  ) {
    super();
  }
}

@CommandHandler(ReplayDelivery)
export class ReplayDeliveryHandler implements ICommandHandler<ReplayDelivery> {
  constructor(
    private readonly tenants: TenantStore,
    private readonly deliveries: WebhookDeliveries,
    private readonly clock: Clock,
  ) {}

  /** @throws {AppError} `webhook-not-found`, `delivery-not-found`, `delivery-not-dead`. */
  async execute({ tenant, webhook, position }: ReplayDelivery): Promise<WebhookDelivery> {
    webhookIn((await this.tenants.load(tenant)).state, webhook);
    return this.deliveries.replay(tenant, webhook, position, this.clock.now());
  }
}
