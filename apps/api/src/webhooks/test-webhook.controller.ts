import { TestWebhook } from '@app/application';
import { WebhookId } from '@app/kernel';
import { Body, Controller, Inject, Param } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { z } from 'zod';
import { type ApiCaller, CurrentCaller } from '../http/current-caller.js';
import { Endpoint } from '../http/endpoint.js';
import { valid } from '../http/valid.js';

const body = z.strictObject({});
const response = z.object({
  delivered: z.boolean(),
  outcome: z.string().describe('The status that was answered, or what kept it from being sent'),
});

/** `POST /v1/webhooks/:webhook/test` */
@Controller()
export class TestWebhookController {
  constructor(@Inject(CommandBus) private readonly commands: CommandBus) {}

  @Endpoint('POST', 'v1/webhooks/:webhook/test', {
    id: 'testWebhook',
    summary: 'Sends a test event and returns the result of the delivery.',
    roles: ['admin'],
    content: 'none',
    body,
    response,
    isRead: true,
    errors: ['invalid-id', 'webhook-not-found'],
  })
  test(
    @Param('webhook') id: string,
    @Body(valid(body)) _: z.output<typeof body>,
    @CurrentCaller() { tenant }: ApiCaller,
  ) {
    return this.commands.execute(new TestWebhook(tenant, WebhookId(id)));
  }
}
