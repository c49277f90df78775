import type { Webhook } from '@app/domain';
import { AppError, type TenantId, type WebhookId } from '@app/kernel';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { TenantStore } from '../../tenants/tenant-store.js';
import { webhookIn } from '../../webhooks/webhook-in.js';

/** Lists the webhooks of a tenant, or a single one. */
export class ListWebhooks extends Query<readonly Webhook[]> {
  constructor(
    readonly tenant: TenantId,
    readonly webhook?: WebhookId,
  ) {
    super();
  }
}

@QueryHandler(ListWebhooks)
export class ListWebhooksHandler implements IQueryHandler<ListWebhooks> {
  constructor(private readonly tenants: TenantStore) {}

  /** @throws {AppError} `tenant-not-found`; `webhook-not-found` for an unknown ID. */
  async execute({ tenant, webhook }: ListWebhooks): Promise<readonly Webhook[]> {
    const { state } = await this.tenants.load(tenant);
    if (state.status === 'absent') throw new AppError('tenant-not-found', `there is no tenant "${tenant}"`);
    if (webhook === undefined) return state.webhooks;
    return [webhookIn(state, webhook)];
  }
}
