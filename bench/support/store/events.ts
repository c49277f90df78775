import { randomUUID } from 'node:crypto';
import { type BinaryEventType, binaryEvent, type EventData } from '@eventstore/db-client';
import { EventId } from '../../../libs/embedded-event-store/src/log/event-id.js';
import type { ProposedEvent } from '../../../libs/embedded-event-store/src/log/record.js';

/** Bytes of data in each event. */
const PAYLOAD_BYTES = 512;
export const TYPE = 'Benched';
/** JSON, so that stores of JSON can take it too. */
const text = JSON.stringify({ text: 'x'.repeat(PAYLOAD_BYTES - '{"text":""}'.length) });
const data = Buffer.from(text);

/** An event as the client takes it; binary, so that nobody's JSON is measured. */
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

/** The same event for a store of JSON. */
export const jsonData = (): { readonly text: string } => JSON.parse(text);
