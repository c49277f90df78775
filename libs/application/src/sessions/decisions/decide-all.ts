import { decide, fold, type SessionEvent, type SessionState } from '@app/domain';
import { AppError, invariant, Revision } from '@app/kernel';
import { type CommandFor, commandOn } from './command-for.js';

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
