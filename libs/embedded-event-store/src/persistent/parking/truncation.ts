import { isJsonObject } from '@app/kernel';
import type { Append } from '../../log/appending/append.js';
import { NUMBER_MAX } from '../../log/keys.js';
import type { LogReader } from '../../log/log-reader.js';
import { metadataStreamOf } from '../../log/stream-head.js';
import { streamMetadata } from '../definition/system-event.js';

/** The append after which a stream begins at `first`. */
export const truncation = (stream: string, first: number): Append => streamMetadata(stream, { $tb: first });

/** The append that empties a stream; none where it does not exist. */
export const emptying = (reader: LogReader, stream: string): Append[] => {
  const head = reader.head(stream);
  return head ? [truncation(stream, head.last + 1)] : [];
};

/** The first revision of a stream that {@link truncation} has left. */
export const firstLeft = (reader: LogReader, stream: string): number => {
  const page = { from: NUMBER_MAX, backwards: true, limit: 1 };
  const [last] = reader.readStream(metadataStreamOf(stream), page);
  return last ? truncateBefore(last.data) : 0;
};

const truncateBefore = (bytes: Buffer): number => {
  try {
    const metadata: unknown = JSON.parse(bytes.toString('utf8'));
    return isJsonObject(metadata) && typeof metadata.$tb === 'number' ? metadata.$tb : 0;
  } catch {
    return 0; // Metadata of anybody's making.
  }
};
