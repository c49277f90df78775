import { randomUUID } from 'node:crypto';
import type { Append } from '../../log/appends/append.js';
import { EventId } from '../../log/event-id.js';
import { LINK_TYPE } from '../../log/projections/links-of.js';
import type { Message } from '../delivery/message.js';

/**
 * Returns the append that parks a message: a link to the event, or the target of an unresolved link. `reason`: for
 * operators.
 */
export const parkedLink = (
  parkedStream: string,
  { original, delivery }: Message,
  reason: string,
): Append => ({
  stream: parkedStream,
  expected: { kind: 'any' },
  events: [
    {
      id: EventId(randomUUID()),
      type: LINK_TYPE,
      contentType: 'application/octet-stream',
      data: delivery.event
        ? Buffer.from(`${delivery.event.revision}@${delivery.event.stream}`)
        : original.data,
      metadata: Buffer.from(
        JSON.stringify({
          added: new Date().toISOString(),
          reason,
          // EventStoreDB omits zeros.
          ...(original.revision !== 0 && { subscriptionEventNumber: original.revision }),
        }),
      ),
    },
  ],
});
