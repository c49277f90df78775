import type { Append } from '../../log/appends/append.js';
import type { LogReader } from '../../log/log-reader.js';
import { streamMetadata } from '../definition/system-event.js';

/** The append after which a stream begins at `first`. */
export const truncation = (stream: string, first: number): Append => streamMetadata(stream, { $tb: first });

/** The append that empties a stream; none where it does not exist. */
export const emptying = (reader: LogReader, stream: string): Append[] => {
  const head = reader.head(stream);
  return head ? [truncation(stream, head.last + 1)] : [];
};
