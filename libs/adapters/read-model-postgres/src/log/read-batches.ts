import type { LogPosition } from '@app/kernel';
import type { Subscriptions } from '@app/ports';
import { type Batch, ReadAhead } from './read-ahead.js';

/** Everything after a place in the log, in batches of what is at hand; until `signal` aborts or the reader stops. */
export async function* readBatches(
  subscriptions: Subscriptions,
  after: LogPosition | 'start',
  signal: AbortSignal,
  eventsMax: () => number,
): AsyncGenerator<Batch> {
  const stop = new AbortController();
  const ahead = new ReadAhead(subscriptions.catchUpAll(after, AbortSignal.any([signal, stop.signal])));
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
