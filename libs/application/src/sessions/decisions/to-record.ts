import { occupancy, type SessionEvent, type SessionState } from '@app/domain';
import type { EventContext, NewEvent } from '@app/ports';
import type { SessionRef } from '../session-ref.js';
import { type Decision, type Loaded, revertsIn } from './decide-all.js';
import type { Caller } from './executed.js';

export type ToRecord = { readonly news: readonly NewEvent[]; readonly context: EventContext };

/**
 * Returns the events to append for a decision, each with the turn that it belongs to.
 *
 * @param idOf returns the ID of an event, from the index of its command and its own index in the command.
 */
export const toRecord = (
  ref: SessionRef,
  before: Loaded,
  { parts, after }: Decision,
  { actor, causationId }: Pick<Caller, 'actor' | 'causationId'>,
  idOf: (at: number, index: number) => string,
): ToRecord => {
  const correlationId = correlationOf(ref, (after ?? before).state);
  const news = parts.flatMap(({ events, left }, at) => {
    const isLast = (index: number): boolean => index === events.length - 1;
    const size = sizeOf(events, left);
    return events.map((event, index) => ({
      id: idOf(at, index),
      event,
      correlationId: correlationOf(ref, left),
      ...(isLast(index) && size),
    }));
  });
  return { news, context: { actor, correlationId, ...(causationId && { causationId }) } };
};

/** Returns the appended events and their IDs. */
export const recordedIn = (
  news: readonly NewEvent[],
): { readonly events: readonly SessionEvent[]; readonly ids: readonly string[] } => ({
  events: news.map(({ event }) => event),
  ids: news.map(({ id }) => id),
});

/** Returns the occupancy after events; a revert event contains it, since the restored context is only in the log. */
const sizeOf = (events: readonly SessionEvent[], left: SessionState): Pick<NewEvent, 'occupancy'> =>
  left.status === 'open' && !revertsIn(events) ? { occupancy: occupancy(left) } : {};

/** Returns the correlation ID, which all events of a turn share. */
const correlationOf = ({ session }: SessionRef, state: SessionState): string =>
  `${session}/turn-${state.status === 'open' ? state.turn : 0}`;
