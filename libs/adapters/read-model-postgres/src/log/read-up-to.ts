import { AppError, type LogPosition } from '@app/kernel';
import type { RecordedInLog, StoredEvent, Subscriptions, UnreadableEvent } from '@app/ports';
import { readBatches, type Source } from './read-batches.js';

const EVENTS_MAX = 1_000;

/** A part of the log: its events, and its end position; an unreadable event is a part by itself. */
export type LogPart = {
  readonly events: readonly RecordedInLog<StoredEvent>[];
  readonly unreadable?: UnreadableEvent;
  readonly position: LogPosition;
};

/**
 * Yields the events after `after` and up to `upTo`, an existing log position, and ends. Uses a new subscription,
 * because only a new one reports the end of the log, and so ends even if the last event before `upTo` is filtered.
 *
 * @throws the reason of `signal`; {@link AppError} like `catchUp`.
 */
export async function* readUpTo(
  subscriptions: Subscriptions,
  after: LogPosition | 'start',
  upTo: LogPosition,
  signal: AbortSignal,
): AsyncGenerator<LogPart> {
  const isAfter = (position: LogPosition): boolean => after === 'start' || position > after;
  if (!isAfter(upTo)) return;
  const all: Source = (place, until) => subscriptions.catchUpAll(place, until);
  for await (const batch of readBatches(all, after, signal, () => EVENTS_MAX)) {
    const events = batch.events.filter(({ position }) => isAfter(position) && position <= upTo);
    const last = events.at(-1);
    if (last) yield { events, position: last.position };
    const { unreadable } = batch;
    if (unreadable && isAfter(unreadable.position) && unreadable.position <= upTo)
      yield { events: [], unreadable, position: unreadable.position };
    if (batch.caughtUp || (batch.position !== undefined && batch.position >= upTo)) return;
  }
  signal.throwIfAborted();
  throw new AppError('event-store-unavailable', 'the log ended a subscription: it is read again from there');
}
