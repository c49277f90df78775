import { eventType } from '@app/contract';
import { isWebhookUrl, WEBHOOK_URL_MAX, WEBHOOK_URL_RULE } from '@app/domain';
import { z } from 'zod';
import { listOf } from '../http/list-of.js';
import { SHOWN_ONCE } from '../http/shown-once.js';
import { sessionId } from '../sessions/shapes.js';

const URL_FAULT = `give ${WEBHOOK_URL_RULE}`;
const FILTER_MAX = 100;

/** Settings of a webhook that a caller may give. */
export const settings = {
  url: z
    .url({ protocol: /^https?$/, error: URL_FAULT })
    .max(WEBHOOK_URL_MAX)
    .refine((url) => !URL.canParse(url) || isWebhookUrl(url), URL_FAULT),
  label: z.string().max(200).describe('Purpose'),
  types: listOf(eventType, { max: FILTER_MAX }).describe('Delivered event types; empty for all'),
  sessions: z.array(sessionId).max(FILTER_MAX).describe('Sessions whose events are delivered; empty for all'),
  content: z.enum(['none', 'full']).describe('`full` includes the text of users and models'),
};

export const webhook = z
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
export const secret = z
  .string()
  .meta(SHOWN_ONCE)
  .describe('Signing secret of deliveries, which only this answer shows');
