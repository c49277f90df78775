import { randomUUID } from 'node:crypto';
import { type BinaryEventType, binaryEvent, type EventData } from '@eventstore/db-client';
import { EventId } from '../../../libs/embedded-event-store/src/log/event-id.js';
import type { ProposedEvent } from '../../../libs/embedded-event-store/src/log/record.js';

/** Bytes of data per event. */
const PAYLOAD_BYTES = 512;
export const TYPE = 'Benched';
/** JSON, for stores that accept JSON only. */
const text = JSON.stringify({ text: 'x'.repeat(PAYLOAD_BYTES - '{"text":""}'.length) });
const data = Buffer.from(text);

/** An event for the client; binary, so that JSON encoding is not measured. */
export const clientEvent = (): EventData =>
  binaryEvent<BinaryEventType<typeof TYPE>>({ id: randomUUID(), type: TYPE, data });

/** The same event as the server receives it. */
export const proposedEvent = (): ProposedEvent => ({
  id: EventId(randomUUID()),
  type: TYPE,
  contentType: 'application/octet-stream',
  data,
  metadata: Buffer.alloc(0),
});

/** The same event for a JSON store. */
export const jsonData = (): { readonly text: string } => JSON.parse(text);
