import type { Json } from '@app/kernel';
import type { Append } from '../../log/appends/append.js';
import { systemEvent } from '../../log/first-events.js';
import type { LogReader } from '../../log/log-reader.js';
import { metadataStreamOf } from '../../log/stream-head.js';

const anyEvent = (stream: string, type: string, data: Json): Append =>
  systemEvent(stream, type, JSON.stringify(data), { kind: 'any' });

/** The type of events in a metadata stream. */
const METADATA = '$metadata';

export const streamMetadata = (stream: string, metadata: Json): Append =>
  anyEvent(metadataStreamOf(stream), METADATA, metadata);

/** Returns the append of an event to a stream that keeps its latest events; the first append sets its metadata. */
export const latestEvent = (reader: LogReader, stream: string, type: string, data: Json): Append[] => {
  const event = anyEvent(stream, type, data);
  return reader.head(stream) ? [event] : [streamMetadata(stream, { $maxCount: 2 }), event];
};
