import { ProtoWriter } from '@app/kernel';
import { type EventId, halvesOf } from '../../log/event-id.js';
import type { StoredEvent } from '../../log/record.js';
import type { Delivery } from './delivery.js';

/** Encodes the common fields of ReadEvent in streams and persistent subscriptions. */
export const readEvent = ({ event, link }: Delivery, structuredIds: boolean): ProtoWriter => {
  const capacity = (event?.record.length ?? 0) + (link?.record.length ?? 0) + 32;
  const writer = new ProtoWriter(capacity);
  if (event) writer.bytes(1, recorded(event, structuredIds));
  if (link) writer.bytes(2, recorded(link, structuredIds));
  const position = (link ?? event)?.position;
  return position === undefined ? writer.empty(4) : writer.integer(3, position);
};

/** Encodes `message ReadResp` of the service Streams. */
export const readReplies = {
  event: (delivery: Delivery, structuredIds: boolean): Buffer => {
    const body = readEvent(delivery, structuredIds).finish();
    return new ProtoWriter(body.length + 8).bytes(1, body).finish();
  },
  confirmation: (subscriptionId: string): Buffer =>
    new ProtoWriter().bytes(2, new ProtoWriter().string(1, subscriptionId).finish()).finish(),
  checkpoint: (position: number): Buffer =>
    new ProtoWriter().bytes(3, new ProtoWriter().integer(1, position).integer(2, position).finish()).finish(),
  streamNotFound: (stream: string): Buffer => {
    const identifier = new ProtoWriter().string(3, stream).finish();
    return new ProtoWriter().bytes(4, new ProtoWriter().bytes(1, identifier).finish()).finish();
  },
  caughtUp: (): Buffer => new ProtoWriter().empty(8).finish(),
};

/**
 * Returns the stored message, which begins with the id as text: a field of fixed length, replaced for structured ids.
 */
const recorded = (event: StoredEvent, structuredIds: boolean): Buffer =>
  structuredIds
    ? Buffer.concat([
        new ProtoWriter().bytes(1, structuredId(event.id)).finish(),
        event.message.subarray(TEXT_ID_FIELD_BYTES),
      ])
    : event.message;
const TEXT_ID_FIELD_BYTES = 2 + 2 + 36;

const structuredId = (id: EventId): Buffer => {
  const { most, least } = halvesOf(id);
  return new ProtoWriter().bytes(1, new ProtoWriter().integer(1, most).integer(2, least).finish()).finish();
};
