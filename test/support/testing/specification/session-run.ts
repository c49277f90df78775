import {
  decide,
  evolve,
  fold,
  initialState,
  type OpenSession,
  type Placed,
  type SessionCommand,
  type SessionEvent,
  type SessionState,
  withoutReverted,
} from '@app/domain';
import { invariant, Revision } from '@app/kernel';

/** One command with what it found, and what came of it. */
export type Carried = {
  readonly command: SessionCommand;
  readonly before: SessionState;
  readonly events: readonly SessionEvent[];
  readonly after: SessionState;
};

/** A session as it comes about when commands are carried out one after the other: only what can happen happens. */
export type SessionRun = {
  readonly carried: readonly Carried[];
  /** The stream, and the state after each of its events: `states[n]` is the session as of revision n. */
  readonly stream: readonly Placed[];
  readonly states: readonly SessionState[];
};

const NOTHING: SessionRun = { carried: [], stream: [], states: [] };

/** Carries `commands` out in order, on a new session or on what `past` has left. */
export const run = (commands: Iterable<SessionCommand>, past: SessionRun = NOTHING): SessionRun => {
  const carried = [...past.carried];
  const stream = [...past.stream];
  const states = [...past.states];
  for (const command of commands) {
    const before = states.at(-1) ?? initialState;
    const events = decide(command, before);
    for (const event of events) {
      const placed = { event, revision: Revision(stream.length) };
      stream.push(placed);
      states.push(after(placed, states.at(-1) ?? initialState, stream));
    }
    carried.push({ command, before, events, after: states.at(-1) ?? initialState });
  }
  return { carried, stream, states };
};

/** The state after an event. What a revert brings back is in the stream alone, as it is for every reader of the log. */
const after = (placed: Placed, before: SessionState, stream: readonly Placed[]): SessionState =>
  placed.event.type === 'CompactionReverted'
    ? fold(initialState, withoutReverted(stream))
    : evolve(before, placed);

/** The events that commands come to: a past to be given. */
export const eventsOf = (...commands: readonly SessionCommand[]): SessionEvent[] =>
  run(commands).stream.map(({ event }) => event);

/** The session that commands come to. */
export const sessionOf = (...commands: readonly SessionCommand[]): OpenSession => openOf(run(commands));

export const openOf = ({ states }: SessionRun): OpenSession => {
  const state = states.at(-1);
  invariant(state?.status === 'open', 'the commands open no session');
  return state;
};
