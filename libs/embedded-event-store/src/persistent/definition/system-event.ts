import { randomUUID } from 'node:crypto';
import type { Json } from '@app/kernel';
import type { Append } from '../../log/appends/append.js';
import { EventId } from '../../log/event-id.js';
import type { LogReader } from '../../log/log-reader.js';
import { metadataStreamOf } from '../../log/stream-head.js';

/** Returns the append of one system event. */
const systemEvent = (stream: string, type: string, data: Json): Append => ({
  stream,
  expected: { kind: 'any' },
  events: [
    {
      id: EventId(randomUUID()),
      type,
      contentType: 'application/json',
      data: Buffer.from(JSON.stringify(data)),
      metadata: Buffer.alloc(0),
    },
  ],
});

/** The type of events in a metadata stream. */
const METADATA = '$metadata';

export const streamMetadata = (stream: string, metadata: Json): Append =>
  systemEvent(metadataStreamOf(stream), METADATA, metadata);

/** Returns the append of an event to a stream that keeps its latest events; the first append sets its metadata. */
export const latestEvent = (reader: LogReader, stream: string, type: string, data: Json): Append[] => {
  const event = systemEvent(stream, type, data);
  return reader.head(stream) ? [event] : [streamMetadata(stream, { $maxCount: 2 }), event];
};
