import type { AtomicGroup, Pairing } from '../../message/index.js';
import { atomicGroups, type Message, pairToolCalls } from '../../message/index.js';
import { isCallAmong, type OpenSession } from '../../session/state.js';

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
  const cuts: number[] = [];
  for (const { start } of groups) if (start <= open) cuts.push(start);
  return { pairing, groups, cuts };
};

/** Calls that nobody has answered and nobody has given up, oldest first. */
export const openCalls = (session: OpenSession, pairing: Pairing): Pairing['calls'] => {
  const isAbandoned = isAbandonedIn(session);
  return pairing.calls.filter(({ id, call, result }) => {
    if (result) return false;
    const message = session.entries[call.message]?.message;
    return message !== undefined && !isAbandoned(message, id);
  });
};

const isAbandonedIn = ({ abandonedCalls }: OpenSession): ((message: Message, callId: string) => boolean) => {
  const isAbandoned = isCallAmong(abandonedCalls);
  return ({ id }, callId) => isAbandoned(id, callId);
};
