import {
  deliveryPosition,
  deliveryView,
  ListDeliveries,
  ReplayDelivery,
  SkipDelivery,
} from '@app/application';
import { delivery, deliveryState } from '@app/contract';
import { WebhookId } from '@app/kernel';
import { Body, Controller, Param, Query } from '@nestjs/common';
import { z } from 'zod';
import { type ApiCaller, BusController, CurrentCaller, emptyBody } from '../http/controller.js';
import { Endpoint } from '../http/endpoint.js';
import { pageOf, pageQuery, pageRequest, shownPage } from '../http/page.js';
import { valid } from '../http/valid.js';

const query = z.strictObject({
  ...pageQuery,
  state: deliveryState.exactOptional().describe('`dead` for dead letters'),
});
const skipping = z.strictObject({
  reason: z.string().min(1).max(500).describe('Reason for the audit'),
});

/** Deliveries of a webhook: `/v1/webhooks/:webhook/deliveries` */
@Controller()
export class DeliveriesController extends BusController {
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
    const asked = new ListDeliveries(tenant, { webhook: WebhookId(id), page: pageRequest(page), state });
    const { items, next } = await this.queries.execute(asked);
    return shownPage({ items: items.map(deliveryView), next });
  }

  @Endpoint('POST', 'v1/webhooks/:webhook/deliveries/:delivery/replay', {
    id: 'replayDelivery',
    summary: 'Replays a dead delivery from its first attempt.',
    roles: ['operator', 'admin'],
    content: 'none',
    body: emptyBody,
    response: delivery,
    errors: [
      'invalid-id',
      'webhook-not-found',
      'delivery-not-found',
      'delivery-not-dead',
      'postgres-unavailable',
    ],
  })
  async replay(
    @Param('webhook') id: string,
    @Param('delivery') position: string,
    @Body(valid(emptyBody)) _: z.output<typeof emptyBody>,
    @CurrentCaller() { tenant, caller }: ApiCaller,
  ) {
    const input = { webhook: WebhookId(id), position: deliveryPosition(position) };
    return this.commands.execute(new ReplayDelivery(tenant, input, caller));
  }

  @Endpoint('POST', 'v1/webhooks/:webhook/deliveries/:delivery/skip', {
    id: 'skipDelivery',
    summary: 'Skips a pending delivery: it becomes a dead letter, and the next event of its session is sent.',
    roles: ['operator', 'admin'],
    content: 'none',
    body: skipping,
    response: delivery,
    errors: [
      'invalid-id',
      'webhook-not-found',
      'delivery-not-found',
      'delivery-not-pending',
      'postgres-unavailable',
    ],
  })
  async skip(
    @Param('webhook') id: string,
    @Param('delivery') position: string,
    @Body(valid(skipping)) { reason }: z.output<typeof skipping>,
    @CurrentCaller() { tenant, caller }: ApiCaller,
  ) {
    const skipped = new SkipDelivery(
      tenant,
      { webhook: WebhookId(id), position: deliveryPosition(position), reason },
      caller,
    );
    return this.commands.execute(skipped);
  }
}
