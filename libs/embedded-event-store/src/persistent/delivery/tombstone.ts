import type { LogReader } from '../../log/log-reader.js';

/** The type of the event that ends a stream for good. */
const TOMBSTONE = '$streamDeleted';

/** Whether the stream was deleted for good: nothing can be read from it any more. */
export const isTombstoned = (reader: LogReader, stream: string): boolean => {
  const head = reader.head(stream);
  return head !== undefined && reader.eventOf(stream, head.last)?.type === TOMBSTONE;
};
