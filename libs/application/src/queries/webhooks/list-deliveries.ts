import type { DeliveryState } from '@app/contract';
import type { TenantId, WebhookId } from '@app/kernel';
import type { Page, PageRequest, WebhookDeliveries, WebhookDelivery } from '@app/ports';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { TenantStore } from '../../tenants/tenant-store.js';
import { webhookIn } from '../../webhooks/webhook-in.js';

/** Lists the deliveries of a webhook, newest first. */
export class ListDeliveries extends Query<Page<WebhookDelivery>> {
  constructor(
    readonly tenant: TenantId,
    readonly webhook: WebhookId,
    readonly page: PageRequest,
    readonly state?: DeliveryState,
  ) {
    super();
  }
}

@QueryHandler(ListDeliveries)
export class ListDeliveriesHandler implements IQueryHandler<ListDeliveries> {
  constructor(
    private readonly tenants: TenantStore,
    private readonly deliveries: WebhookDeliveries,
  ) {}

  /** @throws {AppError} `webhook-not-found`. */
  async execute({ tenant, webhook, page, state }: ListDeliveries): Promise<Page<WebhookDelivery>> {
    webhookIn((await this.tenants.load(tenant)).state, webhook);
    return this.deliveries.page({ tenant, webhook, ...(state && { state }) }, page);
  }
}
