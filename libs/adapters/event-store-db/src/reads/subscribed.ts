import { LogPosition } from '@app/kernel';
import {
  type AllStreamRecordedEvent,
  type AllStreamResolvedEvent,
  type EventStoreDBClient,
  START,
  streamNameFilter,
} from '@eventstore/db-client';
import { portError } from '../errors.js';
import { Feed } from './feed.js';

/** Checkpoint interval, in windows of 32 filtered events. */
const CHECKPOINT_INTERVAL = 16;

type Mark = { readonly kind: 'checkpoint'; readonly position: LogPosition } | { readonly kind: 'caught-up' };
type Subscribed = { readonly item: AllStreamRecordedEvent } | { readonly mark: Mark };

/**
 * Yields the events of streams with these prefixes after a position in the order of the log, then live, until `signal` aborts.
 *
 * @throws {AppError} `event-store-unavailable`.
 */
export async function* subscribed(
  client: Pick<EventStoreDBClient, 'subscribeToAll'>,
  prefixes: string[],
  after: LogPosition | 'start',
  signal: AbortSignal,
): AsyncGenerator<Subscribed> {
  if (signal.aborted) return;
  // The callback runs after `feed` is assigned: no event arrives before the next turn of the event loop.
  const checkpointReached = async (_: unknown, { commit }: { commit: bigint }): Promise<void> =>
    feed.mark({ kind: 'checkpoint', position: LogPosition(commit) });
  const filter = streamNameFilter({ prefixes, checkpointInterval: CHECKPOINT_INTERVAL, checkpointReached });
  const fromPosition = after === 'start' ? START : { commit: after, prepare: after };
  const subscription = client.subscribeToAll({ fromPosition, filter });
  const feed = new Feed<AllStreamResolvedEvent, Mark>(subscription, () => subscription.unsubscribe(), signal);
  subscription.on('caughtUp', () => feed.mark({ kind: 'caught-up' }));
  try {
    for await (const next of feed.itemsAndMarks()) {
      if ('mark' in next) yield next;
      else if (next.item.event) yield { item: next.item.event };
    }
  } catch (error) {
    if (!signal.aborted) throw portError(error);
  }
}
