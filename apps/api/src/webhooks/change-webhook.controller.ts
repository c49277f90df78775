import { ChangeWebhook } from '@app/application';
import { WebhookId } from '@app/kernel';
import { Body, Controller, Inject, Param } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { z } from 'zod';
import { type ApiCaller, CurrentCaller } from '../http/current-caller.js';
import { Endpoint } from '../http/endpoint.js';
import { valid } from '../http/valid.js';
import { settings, webhook } from './shapes.js';

const body = z.strictObject(settings).partial();

/** `PATCH /v1/webhooks/:webhook` */
@Controller()
export class ChangeWebhookController {
  constructor(@Inject(CommandBus) private readonly commands: CommandBus) {}

  @Endpoint('PATCH', 'v1/webhooks/:webhook', {
    id: 'changeWebhook',
    summary: 'Changes the named settings of a webhook.',
    roles: ['admin'],
    content: 'none',
    body,
    response: webhook,
    errors: ['invalid-id', 'webhook-not-found', 'address-forbidden'],
  })
  change(
    @Param('webhook') id: string,
    @Body(valid(body)) { url, label, types, sessions, content }: z.output<typeof body>,
    @CurrentCaller() { tenant, caller }: ApiCaller,
  ) {
    const changed = {
      ...(url !== undefined && { url }),
      ...(label !== undefined && { label }),
      ...(types !== undefined && { types }),
      ...(sessions !== undefined && { sessions }),
      ...(content !== undefined && { content }),
    };
    return this.commands.execute(new ChangeWebhook(tenant, WebhookId(id), changed, caller));
  }
}
