import type { AtomicGroup, Pairing } from '../../message/index.js';
import { atomicGroups, type Message, pairToolCalls } from '../../message/index.js';
import { collapsedTurns, isSameCall, type OpenSession } from '../../session/state.js';

export type Layout = {
  readonly pairing: Pairing;
  readonly groups: readonly AtomicGroup[];
  /** Places where the session can be cut, ascending: at the beginning of a group, and no later than an open call. */
  readonly cuts: readonly number[];
};

/** The atomic groups of a session's context, and the places between them at which it may be cut. */
export const layOut = (session: OpenSession): Layout => {
  const messages = session.entries.map((entry) => entry.message);
  const pairing = pairToolCalls(messages, isAbandonedIn(session));
  const groups = atomicGroups(messages, pairing);
  const open = openCalls(session, pairing)[0]?.call.message ?? messages.length;
  const collapsed = collapsedTurns(session);
  // A collapsed turn is one thing: it is cut before it, or after it.
  const isInside = (at: number): boolean => {
    const turn = session.entries[at]?.turn ?? 0;
    return collapsed.has(turn) && session.entries[at - 1]?.turn === turn;
  };
  const starts = groups.map(({ start }) => start);
  return { pairing, groups, cuts: starts.filter((start) => start <= open && !isInside(start)) };
};

/** Calls that nobody has answered and nobody has given up, oldest first. */
export const openCalls = (session: OpenSession, pairing: Pairing): Pairing['calls'] => {
  const isAbandoned = isAbandonedIn(session);
  return pairing.calls.filter(({ id, call, result }) => {
    const message = session.entries[call.message]?.message;
    return !result && message !== undefined && !isAbandoned(message, id);
  });
};

const isAbandonedIn =
  (session: OpenSession) =>
  ({ id }: Message, callId: string): boolean =>
    session.abandonedCalls.some((call) => isSameCall(call, { messageId: id, callId }));
