import type { SessionCommand, SessionState } from '@app/domain';
import type { Revision } from '@app/kernel';

type Made = SessionCommand | undefined;
type Make = (state: SessionState, revision: Revision | undefined) => Made | Promise<Made>;

/**
 * A command, or how it is made of the state that it will be decided on; `undefined` where that state needs none. Where its
 * type does not depend on the state it may be `called` by that, which tells its events apart before there is a state.
 */
export type CommandFor =
  | SessionCommand
  | Make
  | { readonly called: SessionCommand['type']; readonly make: Make };

/** @returns the command for a state. */
export const commandOn = (
  commandFor: CommandFor,
  state: SessionState,
  revision: Revision | undefined,
): Made | Promise<Made> => {
  if (typeof commandFor === 'function') return commandFor(state, revision);
  return 'make' in commandFor ? commandFor.make(state, revision) : commandFor;
};

/** What a command is called, whatever state it will be decided on. */
export const typeOf = async (
  commandFor: CommandFor,
  state: SessionState,
  revision: Revision | undefined,
): Promise<string> => {
  if (typeof commandFor !== 'function') return 'make' in commandFor ? commandFor.called : commandFor.type;
  return (await commandFor(state, revision))?.type ?? 'none';
};

/** Whether a command depends on the state. */
export const isMade = (commandFor: CommandFor): boolean =>
  typeof commandFor === 'function' || 'make' in commandFor;
