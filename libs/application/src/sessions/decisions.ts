import { randomUUID } from 'node:crypto';
import {
  type CommandOf,
  decide,
  fold,
  occupancy,
  type SessionCommand,
  type SessionEvent,
  type SessionState,
} from '@app/domain';
import { type Actor, AppError, type BoundedMap, invariant, Revision, type StreamName } from '@app/kernel';
import { type Clock, ConflictError, type EventContext, type EventLog, type NewEvent } from '@app/ports';
import { nextCompactionId } from './ids.js';
import type { InFlight } from './in-flight.js';
import type { RequestScope } from './request-scope.js';
import { type SessionRef, streamOf } from './session-ref.js';

type Made = SessionCommand | undefined;
type Make = (state: SessionState, revision: Revision | undefined) => Made | Promise<Made>;

/**
 * A command, or a function of the state that it is decided on; `undefined` if that state needs none. `called` names the
 * command's type in advance if it does not depend on the state.
 */
export type CommandFor =
  | SessionCommand
  | Make
  | { readonly called: SessionCommand['type']; readonly make: Make };

/** Returns the command for a state. */
export const commandOn = (
  commandFor: CommandFor,
  state: SessionState,
  revision: Revision | undefined,
): Made | Promise<Made> => {
  if (typeof commandFor === 'function') return commandFor(state, revision);
  return 'make' in commandFor ? commandFor.make(state, revision) : commandFor;
};

/** Returns the type of a command. */
export const typeOf = async (
  commandFor: CommandFor,
  state: SessionState,
  revision: Revision | undefined,
): Promise<string> => {
  if (typeof commandFor !== 'function') return 'make' in commandFor ? commandFor.called : commandFor.type;
  return (await commandFor(state, revision))?.type ?? 'none';
};

/** Whether a command is a function of the state. */
export const isMade = (commandFor: CommandFor): boolean =>
  typeof commandFor === 'function' || 'make' in commandFor;

/** Returns the command that checks the budget, for a decision together with other commands. */
export const checkBudgetCommand = (
  { session }: SessionRef,
  clock: Clock,
  more: Pick<CommandOf<'CheckBudget'>['data'], 'willContinue' | 'contributed'> = {},
): CommandFor => ({
  called: 'CheckBudget',
  make: (state): CommandOf<'CheckBudget'> => {
    const compactionId = nextCompactionId(session, state);
    return { type: 'CheckBudget', data: { sessionId: session, compactionId, now: clock.now(), ...more } };
  },
});

export type Loaded = { readonly state: SessionState; readonly revision: Revision | undefined };

/** The events of one of several commands. */
type Decided = {
  /** `undefined` if the state needs no command. */
  readonly type: string | undefined;
  readonly events: readonly SessionEvent[];
  /** State after the command; the state before it if only the log has the result. */
  readonly left: SessionState;
};
export type Decision = {
  readonly parts: readonly Decided[];
  /** State after all events; `undefined` if only the log has it. */
  readonly after: Loaded | undefined;
};

/** Decides commands in sequence, each on the state after the previous ones. @throws {AppError} as `decide` does. */
export const decideAll = async (commandsFor: readonly CommandFor[], start: Loaded): Promise<Decision> => {
  const parts: Decided[] = [];
  let after: Loaded | undefined = start;
  for (const commandFor of commandsFor) {
    invariant(after, 'what a revert brings back is in the log: nothing is decided on it in the same append');
    const command = await commandOn(commandFor, after.state, after.revision);
    const events: readonly SessionEvent[] = command ? decide(command, after.state) : [];
    const before: Loaded = after;
    after = revertsIn(events) ? undefined : withEvents(before, events);
    parts.push({ type: command?.type, events, left: (after ?? before).state });
  }
  return { parts, after };
};

/** Decides like {@link decideAll} on a state that may be stale; returns no decision instead of an error. */
export const decideIfAllowed = async (
  commandsFor: readonly CommandFor[],
  before: Loaded,
): Promise<Decision> => {
  try {
    return await decideAll(commandsFor, before);
  } catch (error) {
    if (error instanceof AppError) return NOTHING;
    throw error;
  }
};
export const NOTHING: Decision = { parts: [], after: undefined };

/** Whether the state after events is in the log alone: after a revert, and after content was erased. */
export const revertsIn = (events: readonly SessionEvent[]): boolean =>
  events.some(({ type }) => type === 'CompactionReverted' || type === 'ContentErased');

const withEvents = (loaded: Loaded, events: readonly SessionEvent[]): Loaded => {
  if (events.length === 0) return loaded;
  const { state, revision } = loaded;
  const first = revision === undefined ? 0 : revision + 1;
  const placed = events.map((event, at) => ({ event, revision: Revision(first + at) }));
  return { state: fold(state, placed), revision: Revision(first + events.length - 1) };
};

export type Executed = Loaded & {
  readonly events: readonly SessionEvent[];
  /** Ids of the events recorded, in order. */
  readonly ids: readonly string[];
};
export type Caller = {
  readonly actor: Actor;
  readonly causationId?: string | undefined;
  /** Scope of the caller's request; absent if each command stands alone. */
  readonly request?: RequestScope;
};

type ToRecord = { readonly news: readonly NewEvent[]; readonly context: EventContext };

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

/** The expected result of `append`, which fails with a `ConflictError` after a concurrent write. */
export type Ahead = { readonly executed: Executed; readonly append: () => Promise<void> };

/** The cache of sessions. */
type Hot = Pick<BoundedMap<StreamName, Loaded>, 'set' | 'delete'>;

/** Decides on the state that a running append will leave. */
export const decideAhead = async (
  { log, hot, inFlight }: { readonly log: EventLog; readonly hot: Hot; readonly inFlight: InFlight },
  ref: SessionRef,
  commandsFor: readonly CommandFor[],
  caller: Pick<Caller, 'actor' | 'causationId'>,
  standing: Loaded,
): Promise<Ahead | undefined> => {
  const decision = await decideIfAllowed(commandsFor, standing);
  const { parts, after } = decision;
  if (!after || parts.every(({ events }) => events.length === 0)) return undefined;
  const stream = streamOf(ref);
  const { news, context } = toRecord(ref, standing, decision, caller, () => randomUUID());
  const append = async (): Promise<void> => {
    try {
      await log.append(stream, standing.revision ?? 'no-stream', news, context);
      hot.set(stream, after);
    } catch (error) {
      if (!(error instanceof ConflictError)) hot.delete(stream);
      throw error;
    }
  };
  return { executed: { ...after, ...recordedIn(news) }, append: () => inFlight.track(append) };
};
