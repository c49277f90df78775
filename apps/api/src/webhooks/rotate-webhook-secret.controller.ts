import { RotateWebhookSecret } from '@app/application';
import { WebhookId } from '@app/kernel';
import { Body, Controller, Inject, Param } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { z } from 'zod';
import { type ApiCaller, CurrentCaller } from '../http/current-caller.js';
import { Endpoint } from '../http/endpoint.js';
import { valid } from '../http/valid.js';
import { secret } from './shapes.js';

/** 30 days; for longer overlaps, clients register a second webhook. */
const OVERLAP_SECONDS_MAX = 30 * 86_400;

const body = z.strictObject({
  overlapSeconds: z
    .int()
    .min(0)
    .max(OVERLAP_SECONDS_MAX)
    .default(86_400)
    .describe('For so long deliveries are signed with both'),
});
const response = z.object({
  webhookId: z.string(),
  secret,
  validUntil: z.string().describe('Until then deliveries are signed with the old secret as well'),
});

/** `POST /v1/webhooks/:webhook/rotate-secret` */
@Controller()
export class RotateWebhookSecretController {
  constructor(@Inject(CommandBus) private readonly commands: CommandBus) {}

  @Endpoint('POST', 'v1/webhooks/:webhook/rotate-secret', {
    id: 'rotateWebhookSecret',
    summary: 'Rotates the signing secret; the old secret stays valid during the overlap.',
    roles: ['admin'],
    content: 'none',
    status: 201,
    body,
    response,
    errors: ['invalid-id', 'webhook-not-found'],
  })
  rotate(
    @Param('webhook') id: string,
    @Body(valid(body)) { overlapSeconds }: z.output<typeof body>,
    @CurrentCaller() { tenant, caller }: ApiCaller,
  ) {
    return this.commands.execute(new RotateWebhookSecret(tenant, WebhookId(id), overlapSeconds, caller));
  }
}
