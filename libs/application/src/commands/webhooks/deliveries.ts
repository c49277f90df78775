import { randomUUID } from 'node:crypto';
import type { DeliveryView } from '@app/contract';
import type { LogPosition, WebhookId } from '@app/kernel';
import { CommandOnTenant } from '../../command-and-query.js';
import { Handler, HandlesCommand } from '../../handlers.js';
import { testEventOf } from '../../webhooks/cloud-event.js';
import { outcomeOf, webhookIn } from '../../webhooks/deliver.js';
import { deliveryView } from '../../webhooks/delivery-view.js';

/** Replays a dead letter from its first attempt. */
export class ReplayDelivery extends CommandOnTenant<
  { readonly webhook: WebhookId; readonly position: LogPosition },
  DeliveryView
> {}

@HandlesCommand(ReplayDelivery)
export class ReplayDeliveryHandler extends Handler<ReplayDelivery, 'tenants' | 'deliveries' | 'clock'> {
  /** @throws {AppError} `webhook-not-found`, `delivery-not-found`, `delivery-not-dead`. */
  async execute({ tenant, input: { webhook, position } }: ReplayDelivery): Promise<DeliveryView> {
    webhookIn((await this.parts.tenants.load(tenant)).state, webhook);
    const { deliveries, clock } = this.parts;
    return deliveryView(await deliveries.replay(tenant, webhook, position, clock.now()));
  }
}

/** Skips a pending delivery, which becomes a dead letter and no longer blocks later ones of its session. */
export class SkipDelivery extends CommandOnTenant<
  {
    readonly webhook: WebhookId;
    readonly position: LogPosition;
    /** Recorded for auditors of the tenant. */
    readonly reason: string;
  },
  DeliveryView
> {}

@HandlesCommand(SkipDelivery)
export class SkipDeliveryHandler extends Handler<SkipDelivery, 'tenants' | 'deliveries'> {
  /** @throws {AppError} `webhook-not-found`, `delivery-not-found`, `delivery-not-pending`. */
  async execute({
    tenant,
    input: { webhook, position, reason },
    caller,
  }: SkipDelivery): Promise<DeliveryView> {
    webhookIn((await this.parts.tenants.load(tenant)).state, webhook);
    const skipped = await this.parts.deliveries.skip(tenant, webhook, position, async () => {
      const data = { tenantId: tenant, webhookId: webhook, position: String(position), reason };
      await this.parts.tenants.execute(tenant, { type: 'SkipDelivery', data }, caller);
    });
    return deliveryView(skipped);
  }
}

export type WebhookTested = {
  readonly delivered: boolean;
  /** HTTP status of the answer, or the reason why it was not delivered. */
  readonly outcome: string;
};

/** Sends one unrecorded test event to a webhook immediately. */
export class TestWebhook extends CommandOnTenant<WebhookId, WebhookTested> {}

@HandlesCommand(TestWebhook)
export class TestWebhookHandler extends Handler<
  TestWebhook,
  'tenants' | 'webhookSecrets' | 'sender' | 'clock'
> {
  /** @throws {AppError} `webhook-not-found`. */
  async execute({ tenant, input: webhook }: TestWebhook): Promise<WebhookTested> {
    const { url } = webhookIn((await this.parts.tenants.load(tenant)).state, webhook);
    const now = this.parts.clock.now();
    const secrets = await this.parts.webhookSecrets.of(tenant, webhook, now);
    if (secrets.length === 0) return { delivered: false, outcome: 'no-secret' };
    const id = `${webhook}-test-${randomUUID()}`;
    const body = testEventOf(tenant, webhook, id, now);
    const answer = await this.parts.sender.send({ url, id, body, secrets });
    return { delivered: answer.kind === 'delivered', outcome: outcomeOf(answer) };
  }
}
