import {
  ChangeWebhook,
  ListWebhooks,
  RegisterWebhook,
  RemoveWebhook,
  RotateWebhookSecret,
  TestWebhook,
} from '@app/application';
import { eventType } from '@app/contract';
import { isWebhookUrl, WEBHOOK_URL_MAX, WEBHOOK_URL_RULE } from '@app/domain';
import { defined, WebhookId } from '@app/kernel';
import { Body, Controller, Param } from '@nestjs/common';
import { z } from 'zod';
import { type ApiCaller, BusController, CurrentCaller, emptyBody } from '../http/controller.js';
import { Endpoint } from '../http/endpoint.js';
import { SHOWN_ONCE } from '../http/shown-once.js';
import { listOf, valid } from '../http/valid.js';

import { sessionId } from '../sessions/shapes.js';

const URL_FAULT = `give ${WEBHOOK_URL_RULE}`;
const FILTER_MAX = 100;

/** Settings of a webhook that a caller may give. */
const settings = {
  url: z
    .url({ protocol: /^https?$/, error: URL_FAULT })
    .max(WEBHOOK_URL_MAX)
    .refine((url) => !URL.canParse(url) || isWebhookUrl(url), URL_FAULT),
  label: z.string().max(200).describe('Purpose'),
  types: listOf(eventType, { max: FILTER_MAX }).describe('Delivered event types; empty for all'),
  sessions: z.array(sessionId).max(FILTER_MAX).describe('Sessions whose events are delivered; empty for all'),
  content: z.enum(['none', 'full']).describe('`full` includes the text of users and models'),
};

const webhook = z
  .object({
    webhookId: z.string(),
    url: z.string(),
    label: z.string(),
    types: z.array(eventType),
    sessions: z.array(z.string()),
    content: z.enum(['none', 'full']),
    registeredAt: z.string(),
  })
  .meta({ id: 'Webhook' });
const secret = z
  .string()
  .meta(SHOWN_ONCE)
  .describe('Signing secret of deliveries, which only this answer shows');

const registration = z.strictObject({
  url: settings.url,
  label: settings.label.default(''),
  types: settings.types.default([]),
  sessions: settings.sessions.default([]),
  content: settings.content.default('none'),
});
const changes = z.strictObject(settings).partial();
/** 30 days; for longer overlaps, clients register a second webhook. */
const OVERLAP_SECONDS_MAX = 30 * 86_400;

const rotation = z.strictObject({
  overlapSeconds: z
    .int()
    .min(0)
    .max(OVERLAP_SECONDS_MAX)
    .default(86_400)
    .describe('Time during which deliveries are signed with both secrets'),
});
const rotatedSecret = z.object({
  webhookId: z.string(),
  secret,
  validUntil: z.string().describe('Time until which deliveries are also signed with the old secret'),
});
const testResult = z.object({
  delivered: z.boolean(),
  outcome: z.string().describe('HTTP status of the answer, or the error that prevented the delivery'),
});

/** Webhooks of a tenant: `/v1/webhooks` */
@Controller()
export class WebhooksController extends BusController {
  @Endpoint('GET', 'v1/webhooks', {
    id: 'listWebhooks',
    summary: 'Lists the webhooks of the tenant, without their secrets.',
    roles: ['operator', 'admin'],
    content: 'none',
    response: z.object({ webhooks: z.array(webhook) }),
  })
  async list(@CurrentCaller() { tenant }: ApiCaller) {
    return { webhooks: await this.queries.execute(new ListWebhooks(tenant, undefined)) };
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

  @Endpoint('POST', 'v1/webhooks', {
    id: 'registerWebhook',
    summary: 'Registers a webhook for new events; the answer shows its secret once.',
    roles: ['admin'],
    content: 'none',
    status: 201,
    body: registration,
    response: webhook.extend({ secret }),
    errors: ['too-many-webhooks', 'address-forbidden'],
  })
  register(
    @Body(valid(registration)) input: z.output<typeof registration>,
    @CurrentCaller() { tenant, caller }: ApiCaller,
  ) {
    return this.commands.execute(new RegisterWebhook(tenant, input, caller));
  }

  @Endpoint('PATCH', 'v1/webhooks/:webhook', {
    id: 'changeWebhook',
    summary: 'Changes the named settings of a webhook.',
    roles: ['admin'],
    content: 'none',
    body: changes,
    response: webhook,
    errors: ['invalid-id', 'webhook-not-found', 'address-forbidden'],
  })
  change(
    @Param('webhook') id: string,
    @Body(valid(changes)) changed: z.output<typeof changes>,
    @CurrentCaller() { tenant, caller }: ApiCaller,
  ) {
    return this.commands.execute(
      new ChangeWebhook(tenant, { webhook: WebhookId(id), settings: defined(changed) }, caller),
    );
  }

  @Endpoint('POST', 'v1/webhooks/:webhook/rotate-secret', {
    id: 'rotateWebhookSecret',
    summary: 'Rotates the signing secret; the old secret stays valid during the overlap.',
    roles: ['admin'],
    content: 'none',
    status: 201,
    body: rotation,
    response: rotatedSecret,
    errors: ['invalid-id', 'webhook-not-found'],
  })
  rotate(
    @Param('webhook') id: string,
    @Body(valid(rotation)) { overlapSeconds }: z.output<typeof rotation>,
    @CurrentCaller() { tenant, caller }: ApiCaller,
  ) {
    return this.commands.execute(
      new RotateWebhookSecret(tenant, { webhook: WebhookId(id), overlapSeconds }, caller),
    );
  }

  @Endpoint('POST', 'v1/webhooks/:webhook/test', {
    id: 'testWebhook',
    summary: 'Sends a test event and returns the result of the delivery.',
    roles: ['admin'],
    content: 'none',
    body: emptyBody,
    response: testResult,
    isRead: true,
    errors: ['invalid-id', 'webhook-not-found'],
  })
  test(
    @Param('webhook') id: string,
    @Body(valid(emptyBody)) _: z.output<typeof emptyBody>,
    @CurrentCaller() { tenant, caller }: ApiCaller,
  ) {
    return this.commands.execute(new TestWebhook(tenant, WebhookId(id), caller));
  }

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
