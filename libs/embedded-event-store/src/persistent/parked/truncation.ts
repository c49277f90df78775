import type { Append } from '../../log/appends/append.js';
import type { LogReader } from '../../log/log-reader.js';
import { streamMetadata } from '../definition/system-event.js';

/** Returns the append that truncates a stream before `first`. */
export const truncation = (stream: string, first: number): Append => streamMetadata(stream, { $tb: first });

/** Returns the append that truncates a stream completely; none for a missing stream. */
export const emptying = (reader: LogReader, stream: string): Append[] => {
  const head = reader.head(stream);
  return head ? [truncation(stream, head.last + 1)] : [];
};
