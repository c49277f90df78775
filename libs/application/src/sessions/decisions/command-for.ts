import type { CommandOf, SessionCommand, SessionState } from '@app/domain';
import type { Revision } from '@app/kernel';
import type { Clock } from '@app/ports';
import { nextCompactionId } from '../ids.js';
import type { SessionRef } from '../session-ref.js';

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
