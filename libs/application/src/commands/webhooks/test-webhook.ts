import { randomUUID } from 'node:crypto';
import type { TenantId, WebhookId } from '@app/kernel';
import type { Clock, WebhookSecrets, WebhookSender } from '@app/ports';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { TenantStore } from '../../tenants/tenant-store.js';
import { testEventOf } from '../../webhooks/cloud-event.js';
import { outcomeOf } from '../../webhooks/deliver.js';
import { webhookIn } from '../../webhooks/webhook-in.js';

export type WebhookTested = {
  readonly delivered: boolean;
  /** HTTP status of the answer, or the reason why it was not delivered. */
  readonly outcome: string;
};

/** Sends one unrecorded test event to a webhook immediately. */
export class TestWebhook extends Command<WebhookTested> {
  constructor(
    readonly tenant: TenantId,
    readonly webhook: WebhookId,
  ) {
    super();
  }
}

@CommandHandler(TestWebhook)
export class TestWebhookHandler implements ICommandHandler<TestWebhook> {
  constructor(
    private readonly tenants: TenantStore,
    private readonly secrets: WebhookSecrets,
    private readonly sender: WebhookSender,
    private readonly clock: Clock,
  ) {}

  /** @throws {AppError} `webhook-not-found`. */
  async execute({ tenant, webhook }: TestWebhook): Promise<WebhookTested> {
    const { url } = webhookIn((await this.tenants.load(tenant)).state, webhook);
    const now = this.clock.now();
    const secrets = await this.secrets.of(tenant, webhook, now);
    if (secrets.length === 0) return { delivered: false, outcome: 'no-secret' };
    const id = `${webhook}-test-${randomUUID()}`;
    const answer = await this.sender.send({ url, id, body: testEventOf(tenant, webhook, id, now), secrets });
    return { delivered: answer.kind === 'delivered', outcome: outcomeOf(answer) };
  }
}
