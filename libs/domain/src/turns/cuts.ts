import {
  type AtomicGroup,
  atomicGroups,
  followCalls,
  groupStarts,
  type Message,
  type MessageList,
  type OpenCall,
  type Pairing,
  pairToolCalls,
  Ties,
  type Traits,
} from '../message/index.js';
import { collapsedTurns, isCallAmong, type OpenSession } from '../session/state.js';

export type Layout = {
  /** The newest atomic group; `undefined` without messages. */
  readonly newest: AtomicGroup | undefined;
  /** Indexes of possible cuts, ascending: at group starts, at or before the first open call. */
  readonly cuts: readonly number[];
  /** Traits of each message, by its index. */
  readonly traits: ArrayLike<Traits>;
};

/** The places between the atomic groups of a session's context at which it may be cut. */
export const layOut = (session: OpenSession): Layout => {
  const count = session.entries.length;
  const ties = new Ties(count);
  const traits = new Uint8Array(count);
  const [oldest] = followCalls(listOf(session), isAbandonedIn(session), {
    reached: (held, at) => {
      traits[at] = held;
    },
    answered: ({ call }, message) => ties.add(call.message, message),
  });
  const starts = groupStarts(traits, ties);
  const start = starts.at(-1);
  return {
    newest: start === undefined ? undefined : { start, end: count },
    traits,
    cuts: cutsAmong(oldest ? starts.filter((one) => one <= oldest.call.message) : starts, session),
  };
};

/** A collapsed turn is one thing: it is cut before it, or after it. */
const cutsAmong = (starts: readonly number[], session: OpenSession): readonly number[] => {
  const collapsed = collapsedTurns(session);
  if (collapsed.size === 0) return starts;
  const turnAt = (at: number): number => session.entries[at]?.turn ?? 0;
  return starts.filter((at) => at === 0 || !collapsed.has(turnAt(at)) || turnAt(at - 1) !== turnAt(at));
};

/** Every call of a session's context with its result. */
export const pairingIn = (session: OpenSession): Pairing =>
  pairToolCalls(messagesOf(session), isAbandonedIn(session));

export type Grouped = { readonly pairing: Pairing; readonly groups: readonly AtomicGroup[] };

/** The atomic groups of a session's context, and its calls with their results. */
export const groupedIn = (session: OpenSession): Grouped => {
  const pairing = pairingIn(session);
  return { pairing, groups: atomicGroups(messagesOf(session), pairing) };
};

/** Returns unanswered calls that were not abandoned, oldest first. */
export const openCalls = (session: OpenSession): readonly Readonly<OpenCall>[] =>
  followCalls(listOf(session), isAbandonedIn(session), { answered: () => {} });

const messagesOf = ({ entries }: OpenSession): readonly Message[] => entries.map((entry) => entry.message);
const listOf = ({ entries }: OpenSession): MessageList => ({
  length: entries.length,
  at: (place) => entries[place]?.message,
});

const isAbandonedIn = ({ abandonedCalls }: OpenSession): ((message: Message, callId: string) => boolean) => {
  const isAbandoned = isCallAmong(abandonedCalls);
  return ({ id }, callId) => isAbandoned(id, callId);
};
