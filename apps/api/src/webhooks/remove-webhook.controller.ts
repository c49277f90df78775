import { RemoveWebhook } from '@app/application';
import { WebhookId } from '@app/kernel';
import { Controller, Inject, Param } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { z } from 'zod';
import { type ApiCaller, CurrentCaller } from '../http/current-caller.js';
import { Endpoint } from '../http/endpoint.js';

/** `DELETE /v1/webhooks/:webhook` */
@Controller()
export class RemoveWebhookController {
  constructor(@Inject(CommandBus) private readonly commands: CommandBus) {}

  @Endpoint('DELETE', 'v1/webhooks/:webhook', {
    id: 'removeWebhook',
    summary: 'Removes a webhook with its pending and dead deliveries.',
    roles: ['admin'],
    content: 'none',
    response: z.object({ webhookId: z.string(), state: z.literal('removed') }),
    errors: ['invalid-id', 'webhook-not-found'],
  })
  async remove(@Param('webhook') id: string, @CurrentCaller() { tenant, caller }: ApiCaller) {
    await this.commands.execute(new RemoveWebhook(tenant, WebhookId(id), caller));
    return { webhookId: id, state: 'removed' as const };
  }
}
