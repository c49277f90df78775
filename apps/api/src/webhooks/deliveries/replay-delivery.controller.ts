import { deliveryPosition, deliveryView, ReplayDelivery } from '@app/application';
import { WebhookId } from '@app/kernel';
import { Body, Controller, Inject, Param } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { z } from 'zod';
import { type ApiCaller, CurrentCaller } from '../../http/current-caller.js';
import { Endpoint } from '../../http/endpoint.js';
import { valid } from '../../http/valid.js';
import { delivery } from '../shapes.js';

const body = z.strictObject({});

/** `POST /v1/webhooks/:webhook/deliveries/:delivery/replay` */
@Controller()
export class ReplayDeliveryController {
  constructor(@Inject(CommandBus) private readonly commands: CommandBus) {}

  @Endpoint('POST', 'v1/webhooks/:webhook/deliveries/:delivery/replay', {
    id: 'replayDelivery',
    summary: 'Replays a dead delivery from its first attempt.',
    roles: ['operator', 'admin'],
    content: 'none',
    body,
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
    @Body(valid(body)) _: z.output<typeof body>,
    @CurrentCaller() { tenant }: ApiCaller,
  ) {
    const replayed = new ReplayDelivery(tenant, WebhookId(id), deliveryPosition(position));
    return deliveryView(await this.commands.execute(replayed));
  }
}
