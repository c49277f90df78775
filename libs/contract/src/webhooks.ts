import { z } from 'zod';
import { eventType } from './names.js';
import { isoTime, revision, sessionId } from './scalars.js';
import type { Shape } from './shape.js';

export const DELIVERY_STATES = ['pending', 'delivered', 'dead'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

export const deliveryState = z.enum(DELIVERY_STATES).meta({ id: 'DeliveryState' });
export const delivery = z
  .object({
    delivery: z.string().describe('The position of the event in the log'),
    session: sessionId,
    revision,
    type: eventType,
    state: deliveryState,
    attempts: z.int().describe('Tries so far'),
    nextAt: isoTime.nullable().describe('When it is tried next, where it waits'),
    lastOutcome: z.string().nullable().describe('A status, or what kept it from being sent'),
    lastTriedAt: isoTime.nullable(),
  })
  .meta({ id: 'WebhookDelivery' });

/** A delivery as callers see it. */
export type DeliveryView = Shape<typeof delivery>;
