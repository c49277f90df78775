import type { DeliveryState } from '@app/contract';
import type { Webhook } from '@app/domain';
import { AppError, type WebhookId } from '@app/kernel';
import type { Page, PageRequest, WebhookDelivery } from '@app/ports';
import { QueryOnTenant } from '../command-and-query.js';
import { Handler, HandlesQuery } from '../handlers.js';
import { webhookIn } from '../webhooks/deliver.js';

/** Lists the webhooks of a tenant, or a single one. */
export class ListWebhooks extends QueryOnTenant<readonly Webhook[], WebhookId | undefined> {}

@HandlesQuery(ListWebhooks)
export class ListWebhooksHandler extends Handler<ListWebhooks, 'tenants'> {
  /** @throws {AppError} `tenant-not-found`; `webhook-not-found` for an unknown ID. */
  async execute({ tenant, input: webhook }: ListWebhooks): Promise<readonly Webhook[]> {
    const { state } = await this.parts.tenants.load(tenant);
    if (state.status === 'absent') throw new AppError('tenant-not-found', `there is no tenant "${tenant}"`);
    if (webhook === undefined) return state.webhooks;
    return [webhookIn(state, webhook)];
  }
}

/** Lists the deliveries of a webhook, newest first. */
export class ListDeliveries extends QueryOnTenant<
  Page<WebhookDelivery>,
  { readonly webhook: WebhookId; readonly page: PageRequest; readonly state?: DeliveryState | undefined }
> {}

@HandlesQuery(ListDeliveries)
export class ListDeliveriesHandler extends Handler<ListDeliveries, 'tenants' | 'deliveries'> {
  /** @throws {AppError} `webhook-not-found`. */
  async execute({ tenant, input: { webhook, page, state } }: ListDeliveries): Promise<Page<WebhookDelivery>> {
    webhookIn((await this.parts.tenants.load(tenant)).state, webhook);
    return this.parts.deliveries.page({ tenant, webhook, ...(state && { state }) }, page);
  }
}
