import { eventType } from '@app/contract';
import { isWebhookUrl, WEBHOOK_URL_MAX, WEBHOOK_URL_RULE } from '@app/domain';
import { z } from 'zod';
import { listOf } from '../http/list-of.js';
import { SHOWN_ONCE } from '../http/shown-once.js';
import { sessionId } from '../sessions/shapes.js';

const URL_FAULT = `give ${WEBHOOK_URL_RULE}`;
const FILTER_MAX = 100;

/** What may be said of a webhook. */
export const settings = {
  url: z
    .url({ protocol: /^https?$/, error: URL_FAULT })
    .max(WEBHOOK_URL_MAX)
    .refine((url) => !URL.canParse(url) || isWebhookUrl(url), URL_FAULT),
  label: z.string().max(200).describe('What it is for'),
  types: listOf(eventType, { max: FILTER_MAX }).describe(
    'Events of these types alone; of all where it is empty',
  ),
  sessions: z
    .array(sessionId)
    .max(FILTER_MAX)
    .describe('Events of these sessions alone; of all where it is empty'),
  content: z.enum(['none', 'full']).describe('`full`: with what people and models wrote'),
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
  .describe('What deliveries are signed with: it is shown here and never again');
