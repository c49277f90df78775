import { occupancy, type SessionEvent, type SessionState } from '@app/domain';
import type { EventContext, NewEvent } from '@app/ports';
import type { SessionRef } from '../session-ref.js';
import { type Decision, type Loaded, revertsIn } from './decide-all.js';
import type { Caller } from './executed.js';

export type ToRecord = { readonly news: readonly NewEvent[]; readonly context: EventContext };

/**
 * What is appended for a decision: each event with the turn that it belongs to.
 *
 * @param idOf the id of an event, by the command that causes it and its place among what that causes.
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

/** What was appended, as callers are told of it. */
export const recordedIn = (
  news: readonly NewEvent[],
): { readonly events: readonly SessionEvent[]; readonly ids: readonly string[] } => ({
  events: news.map(({ event }) => event),
  ids: news.map(({ id }) => id),
});

/** What the next request takes once events are recorded; a revert says it itself, since what it brings back is in the log. */
const sizeOf = (events: readonly SessionEvent[], left: SessionState): Pick<NewEvent, 'occupancy'> =>
  left.status === 'open' && !revertsIn(events) ? { occupancy: occupancy(left) } : {};

/** Everything that a turn causes carries its name. */
const correlationOf = ({ session }: SessionRef, state: SessionState): string =>
  `${session}/turn-${state.status === 'open' ? state.turn : 0}`;
