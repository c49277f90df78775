import type { EventId } from '../../log/event-id.js';
import type { StoredEvent } from '../../log/record.js';
import type { Delivery } from '../../streams/reads/delivery.js';

/** Where a message came into the group from. */
export type Origin =
  | {
      readonly kind: 'source';
      /** Its revision in the stream, or its position in $all: what the checkpoint counts in. */
      readonly place: number;
      /** How many events this group had looked at before it. */
      readonly sequence: number;
    }
  /** Replayed: `revision` is that of its link in the parked stream. */
  | { readonly kind: 'parked'; readonly revision: number };

/** An event on its way through a group. */
export type Message = {
  readonly origin: Origin;
  /** What was read, and not what a link in it points at. */
  readonly original: StoredEvent;
  /** The id of the original, by which answers name it. */
  readonly id: EventId;
  readonly delivery: Delivery;
  /** How often it was delivered before. */
  readonly retryCount: number;
};

/** A message that was just read. */
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
