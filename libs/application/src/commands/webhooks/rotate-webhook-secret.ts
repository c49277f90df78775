import { IsoTime, type TenantId, type WebhookId } from '@app/kernel';
import type { Clock, WebhookSecrets } from '@app/ports';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '../../sessions/session-store.js';
import type { TenantStore } from '../../tenants/tenant-store.js';
import { webhookIn } from '../../webhooks/webhook-in.js';
import { newWebhookSecret } from '../../webhooks/webhook-secret.js';

export type RotatedWebhookSecret = {
  readonly webhookId: WebhookId;
  /** Shown once. */
  readonly secret: string;
  /** Until then, deliveries have signatures with both secrets. */
  readonly validUntil: IsoTime;
};

/** Rotates the signing secret; both secrets sign during the overlap. */
export class RotateWebhookSecret extends Command<RotatedWebhookSecret> {
  constructor(
    readonly tenant: TenantId,
    readonly webhook: WebhookId,
    readonly overlapSeconds: number,
    readonly caller: Caller,
  ) {
    super();
  }
}

@CommandHandler(RotateWebhookSecret)
export class RotateWebhookSecretHandler implements ICommandHandler<RotateWebhookSecret> {
  constructor(
    private readonly tenants: TenantStore,
    private readonly secrets: WebhookSecrets,
    private readonly clock: Clock,
  ) {}

  /** @throws {AppError} `tenant-not-found`, `webhook-not-found`. */
  async execute({
    tenant,
    webhook,
    overlapSeconds,
    caller,
  }: RotateWebhookSecret): Promise<RotatedWebhookSecret> {
    webhookIn((await this.tenants.load(tenant)).state, webhook);
    const now = this.clock.now();
    const validUntil = IsoTime(new Date(Date.parse(now) + overlapSeconds * 1_000));
    const secret = newWebhookSecret();
    // The old secret expires last, so that a caller who was interrupted before the answer keeps a valid one.
    await this.secrets.add(tenant, webhook, secret);
    const data = { tenantId: tenant, webhookId: webhook, validUntil, now };
    await this.tenants.execute(tenant, { type: 'RotateWebhookSecret', data }, caller);
    await this.secrets.retireOlder(tenant, webhook, validUntil);
    return { webhookId: webhook, secret, validUntil };
  }
}
