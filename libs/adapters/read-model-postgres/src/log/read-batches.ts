import type { LogPosition } from '@app/kernel';
import type { LogItem, StoredEvent } from '@app/ports';
import { type Batch, ReadAhead } from './read-ahead.js';

/** A subscription from a position until the signal aborts. */
export type Source = (
  after: LogPosition | 'start',
  signal: AbortSignal,
) => AsyncIterable<LogItem<StoredEvent>>;

/** Yields all events after a log position in batches of available events, until `signal` aborts or the reader stops. */
export async function* readBatches(
  source: Source,
  after: LogPosition | 'start',
  signal: AbortSignal,
  eventsMax: () => number,
): AsyncGenerator<Batch> {
  const stop = new AbortController();
  const ahead = new ReadAhead(source(after, AbortSignal.any([signal, stop.signal])));
  try {
    while (!signal.aborted) {
      const batch = await ahead.take(eventsMax());
      if (!batch) return;
      yield batch;
    }
  } finally {
    stop.abort();
    ahead.close();
    await ahead.over;
  }
}
