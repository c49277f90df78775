import { z } from 'zod';
import { eventType } from './names.js';
import { isoTime, revision, sessionId } from './scalars.js';
import type { Shape } from './shape.js';

export const DELIVERY_STATES = ['pending', 'delivered', 'dead'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

export const deliveryState = z.enum(DELIVERY_STATES).meta({ id: 'DeliveryState' });
export const delivery = z
  .object({
    delivery: z.string().describe('Position of the event in the log'),
    session: sessionId,
    revision,
    type: eventType,
    state: deliveryState,
    attempts: z.int().describe('Number of attempts so far'),
    nextAt: isoTime.nullable().describe('Time of the next attempt; `null` without one'),
    lastOutcome: z
      .string()
      .nullable()
      .describe('HTTP status of the last attempt, or the error that prevented it'),
    lastTriedAt: isoTime.nullable(),
  })
  .meta({ id: 'WebhookDelivery' });

/** A delivery as callers see it. */
export type DeliveryView = Shape<typeof delivery>;
