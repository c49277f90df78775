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

/** A command with the session before it, and its events. */
export type Carried = {
  readonly command: SessionCommand;
  readonly before: SessionState;
  readonly events: readonly SessionEvent[];
  readonly after: SessionState;
};

/** A session after a sequence of commands: only possible histories occur. */
export type SessionRun = {
  readonly carried: readonly Carried[];
  /** The stream, and the state after each event: `states[n]` is the session as of revision n. */
  readonly stream: readonly Placed[];
  readonly states: readonly SessionState[];
};

const NOTHING: SessionRun = { carried: [], stream: [], states: [] };

/** Runs `commands` in order, on a new session or after `past`. */
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

/**
 * Returns the state after an event. A revert reads the restored part from the stream, as every reader of the log
 * does.
 */
const after = (placed: Placed, before: SessionState, stream: readonly Placed[]): SessionState =>
  placed.event.type === 'CompactionReverted'
    ? fold(initialState, withoutReverted(stream))
    : evolve(before, placed);

/** Returns the events of commands, as the past of a specification. */
export const eventsOf = (...commands: readonly SessionCommand[]): SessionEvent[] =>
  run(commands).stream.map(({ event }) => event);

/** Returns the session after commands. */
export const sessionOf = (...commands: readonly SessionCommand[]): OpenSession => openOf(run(commands));

export const openOf = ({ states }: SessionRun): OpenSession => {
  const state = states.at(-1);
  invariant(state?.status === 'open', 'the commands open no session');
  return state;
};
