import { deliveryView, ListDeliveries } from '@app/application';
import { WebhookId } from '@app/kernel';
import { Controller, Inject, Param, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { z } from 'zod';
import { type ApiCaller, CurrentCaller } from '../../http/current-caller.js';
import { Endpoint } from '../../http/endpoint.js';
import { pageOf, pageQuery, pageRequest, shownPage } from '../../http/page.js';
import { valid } from '../../http/valid.js';
import { delivery, deliveryState } from '../shapes.js';

const query = z.strictObject({
  ...pageQuery,
  state: deliveryState.optional().describe('`dead` for dead letters'),
});

/** `GET /v1/webhooks/:webhook/deliveries` */
@Controller()
export class ListDeliveriesController {
  constructor(@Inject(QueryBus) private readonly queries: QueryBus) {}

  @Endpoint('GET', 'v1/webhooks/:webhook/deliveries', {
    id: 'listDeliveries',
    summary: 'Lists the deliveries of a webhook, newest first.',
    roles: ['operator', 'admin'],
    content: 'none',
    query,
    response: pageOf(delivery),
    errors: ['invalid-id', 'webhook-not-found', 'postgres-unavailable'],
  })
  async list(
    @Param('webhook') id: string,
    @Query(valid(query)) { state, ...page }: z.output<typeof query>,
    @CurrentCaller() { tenant }: ApiCaller,
  ) {
    const asked = new ListDeliveries(tenant, WebhookId(id), pageRequest(page), state);
    const { items, next } = await this.queries.execute(asked);
    return shownPage({ items: items.map(deliveryView), next });
  }
}
