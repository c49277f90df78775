import { RegisterWebhook } from '@app/application';
import { Body, Controller, Inject } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { z } from 'zod';
import { type ApiCaller, CurrentCaller } from '../http/current-caller.js';
import { Endpoint } from '../http/endpoint.js';
import { valid } from '../http/valid.js';
import { secret, settings, webhook } from './shapes.js';

const body = z.strictObject({
  url: settings.url,
  label: settings.label.default(''),
  types: settings.types.default([]),
  sessions: settings.sessions.default([]),
  content: settings.content.default('none'),
});

/** `POST /v1/webhooks` */
@Controller()
export class RegisterWebhookController {
  constructor(@Inject(CommandBus) private readonly commands: CommandBus) {}

  @Endpoint('POST', 'v1/webhooks', {
    id: 'registerWebhook',
    summary: 'Registers a webhook for new events; the answer shows its secret once.',
    roles: ['admin'],
    content: 'none',
    status: 201,
    body,
    response: webhook.extend({ secret }),
    errors: ['too-many-webhooks', 'address-forbidden'],
  })
  register(@Body(valid(body)) input: z.output<typeof body>, @CurrentCaller() { tenant, caller }: ApiCaller) {
    return this.commands.execute(new RegisterWebhook(tenant, input, caller));
  }
}
