import { deliveryPosition, deliveryView, SkipDelivery } from '@app/application';
import { WebhookId } from '@app/kernel';
import { Body, Controller, Inject, Param } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { z } from 'zod';
import { type ApiCaller, CurrentCaller } from '../../http/current-caller.js';
import { Endpoint } from '../../http/endpoint.js';
import { valid } from '../../http/valid.js';
import { delivery } from '../shapes.js';

const body = z.strictObject({
  reason: z.string().min(1).max(500).describe('Why, for whoever audits the tenant'),
});

/** `POST /v1/webhooks/:webhook/deliveries/:delivery/skip` */
@Controller()
export class SkipDeliveryController {
  constructor(@Inject(CommandBus) private readonly commands: CommandBus) {}

  @Endpoint('POST', 'v1/webhooks/:webhook/deliveries/:delivery/skip', {
    id: 'skipDelivery',
    summary: 'Skips a pending delivery: it becomes a dead letter, and the next event of its session is sent.',
    roles: ['operator', 'admin'],
    content: 'none',
    body,
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
    @Body(valid(body)) { reason }: z.output<typeof body>,
    @CurrentCaller() { tenant, caller }: ApiCaller,
  ) {
    const skipped = new SkipDelivery(
      tenant,
      WebhookId(id),
      { position: deliveryPosition(position), reason },
      caller,
    );
    return deliveryView(await this.commands.execute(skipped));
  }
}
