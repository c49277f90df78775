import { LogPosition } from '@app/kernel';
import {
  type AllStreamRecordedEvent,
  type AllStreamResolvedEvent,
  type EventStoreDBClient,
  START,
  streamNameFilter,
  TimeoutError,
} from '@eventstore/db-client';
import { portError } from '../errors.js';
import { Feed } from './feed.js';

/** Checkpoint interval, in windows of 32 filtered events. */
const CHECKPOINT_INTERVAL = 16;

type Mark = { readonly kind: 'checkpoint'; readonly position: LogPosition } | { readonly kind: 'caught-up' };
type Subscribed = { readonly item: AllStreamRecordedEvent } | { readonly mark: Mark };

/**
 * Yields the events of streams with these prefixes after a position in the order of the log, then live, until `signal` aborts.
 * EventStoreDB ends live subscriptions that take events more slowly than they are written: those go on where they ended.
 *
 * @throws {AppError} `event-store-unavailable`.
 */
export async function* subscribed(
  client: Pick<EventStoreDBClient, 'subscribeToAll'>,
  prefixes: string[],
  after: LogPosition | 'start',
  signal: AbortSignal,
): AsyncGenerator<Subscribed> {
  for (let reached = after; !signal.aborted; ) {
    const from = reached;
    try {
      for await (const next of subscribedOnce(client, prefixes, from, signal)) {
        reached = placeOf(next) ?? reached;
        yield next;
      }
    } catch (error) {
      const isTooSlow = error instanceof TimeoutError && reached !== from;
      if (!isTooSlow && !signal.aborted) throw portError(error);
    }
  }
}

const placeOf = (next: Subscribed): LogPosition | undefined => {
  if ('item' in next) return LogPosition(next.item.position.commit);
  return next.mark.kind === 'checkpoint' ? next.mark.position : undefined;
};

async function* subscribedOnce(
  client: Pick<EventStoreDBClient, 'subscribeToAll'>,
  prefixes: string[],
  after: LogPosition | 'start',
  signal: AbortSignal,
): AsyncGenerator<Subscribed> {
  // The callback runs after `feed` is assigned: no event arrives before the next turn of the event loop.
  const checkpointReached = async (_: unknown, { commit }: { commit: bigint }): Promise<void> =>
    feed.mark({ kind: 'checkpoint', position: LogPosition(commit) });
  const filter = streamNameFilter({ prefixes, checkpointInterval: CHECKPOINT_INTERVAL, checkpointReached });
  const fromPosition = after === 'start' ? START : { commit: after, prepare: after };
  const subscription = client.subscribeToAll({ fromPosition, filter });
  const feed = new Feed<AllStreamResolvedEvent, Mark>(subscription, () => subscription.unsubscribe(), signal);
  subscription.on('caughtUp', () => feed.mark({ kind: 'caught-up' }));
  for await (const next of feed.itemsAndMarks()) {
    if ('mark' in next) yield next;
    else if (next.item.event) yield { item: next.item.event };
  }
}
