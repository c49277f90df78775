import { randomUUID } from 'node:crypto';
import type { Json } from '@app/kernel';
import type { Append } from '../../log/appends/append.js';
import { EventId } from '../../log/event-id.js';
import type { LogReader } from '../../log/log-reader.js';
import { metadataStreamOf } from '../../log/stream-head.js';

/** The append of one event that the store itself writes. */
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

/** The type of the events in a metadata stream. */
const METADATA = '$metadata';

export const streamMetadata = (stream: string, metadata: Json): Append =>
  systemEvent(metadataStreamOf(stream), METADATA, metadata);

/** An event for a stream of which only the last ones count; the first one sets that up. */
export const latestEvent = (reader: LogReader, stream: string, type: string, data: Json): Append[] => {
  const event = systemEvent(stream, type, data);
  return reader.head(stream) ? [event] : [streamMetadata(stream, { $maxCount: 2 }), event];
};
