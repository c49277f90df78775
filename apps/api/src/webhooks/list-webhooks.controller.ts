import { ListWebhooks } from '@app/application';
import { WebhookId } from '@app/kernel';
import { Controller, Inject, Param } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { z } from 'zod';
import { type ApiCaller, CurrentCaller } from '../http/current-caller.js';
import { Endpoint } from '../http/endpoint.js';
import { webhook } from './shapes.js';

/** `GET /v1/webhooks` and `GET /v1/webhooks/:webhook` */
@Controller()
export class ListWebhooksController {
  constructor(@Inject(QueryBus) private readonly queries: QueryBus) {}

  @Endpoint('GET', 'v1/webhooks', {
    id: 'listWebhooks',
    summary: 'Lists the webhooks of the tenant, without their secrets.',
    roles: ['operator', 'admin'],
    content: 'none',
    response: z.object({ webhooks: z.array(webhook) }),
  })
  async list(@CurrentCaller() { tenant }: ApiCaller) {
    return { webhooks: await this.queries.execute(new ListWebhooks(tenant)) };
  }

  @Endpoint('GET', 'v1/webhooks/:webhook', {
    id: 'getWebhook',
    summary: 'Returns a webhook, without its secret.',
    roles: ['operator', 'admin'],
    content: 'none',
    response: webhook,
    errors: ['invalid-id', 'webhook-not-found'],
  })
  async show(@Param('webhook') id: string, @CurrentCaller() { tenant }: ApiCaller) {
    const [found] = await this.queries.execute(new ListWebhooks(tenant, WebhookId(id)));
    return found;
  }
}
