import type { EventId } from '../../log/event-id.js';
import type { StoredEvent } from '../../log/record.js';
import type { Delivery } from '../../streams/reads/delivery.js';

/** The source of a message. */
export type Origin =
  | {
      readonly kind: 'source';
      /** The revision in the stream or the position in $all; the checkpoint's unit. */
      readonly place: number;
      /** The number of events that this group read before it. */
      readonly sequence: number;
    }
  /** Replayed; `revision` is that of the link in the parked stream. */
  | { readonly kind: 'parked'; readonly revision: number };

/** An event in a group. */
export type Message = {
  readonly origin: Origin;
  /** The event as read, possibly an unresolved link. */
  readonly original: StoredEvent;
  /** The id of the original, which answers refer to. */
  readonly id: EventId;
  readonly delivery: Delivery;
  /** The number of earlier deliveries. */
  readonly retryCount: number;
};

/** Returns a message without deliveries. */
export const newMessage = (origin: Origin, original: StoredEvent, delivery: Delivery): Message => ({
  origin,
  original,
  id: original.id,
  delivery,
  retryCount: 0,
});

export const bytesOf = ({ delivery: { event, link } }: Message): number =>
  (event?.record.length ?? 0) + (link?.record.length ?? 0);

export const onceMore = (message: Message): Message => ({ ...message, retryCount: message.retryCount + 1 });
