import { AppError, type ErrorCode, Revision } from '@app/kernel';

/** A decider whose events have their position in the stream when they are folded. */
type PlacedDecider<State, Cmd, Evt> = {
  readonly initialState: State;
  readonly evolve: (state: State, event: { readonly event: Evt; readonly revision: Revision }) => State;
  readonly decide: (command: Cmd, state: State) => readonly Evt[];
};

type Typed = { readonly type: string };
export type Expectation<Evt extends Typed> = {
  /** Expects exactly these events. */
  readonly then: (...expected: readonly Evt[]) => void;
  /** Expects events of these types, in this order. */
  readonly thenRecords: (...types: readonly Evt['type'][]) => void;
  readonly thenNothing: () => void;
  readonly thenRefuses: (code: ErrorCode) => void;
  /** Returns the recorded events, for further checks. */
  readonly events: () => readonly Evt[];
};

/** Specification by given events from revision 0 on, a command, and its events or error code. */
export const specificationOf =
  <State, Cmd, Evt extends Typed>({ initialState, evolve, decide }: PlacedDecider<State, Cmd, Evt>) =>
  (...past: readonly Evt[]) => ({
    when: (command: Cmd): Expectation<Evt> => {
      const state = past.reduce(
        (now, event, at) => evolve(now, { event, revision: Revision(at) }),
        initialState,
      );
      const events = () => decide(command, state);
      return {
        events,
        // biome-ignore lint/suspicious/noThenProperty: it reads as a sentence, and no code awaits a specification.
        then: (...expected) => expect(events()).toEqual(expected),
        thenRecords: (...types) => expect(events().map(({ type }) => type)).toEqual(types),
        thenNothing: () => expect(events()).toEqual([]),
        thenRefuses: (code) => expect(refusalOf(events)).toBe(code),
      };
    },
  });

/** Returns the error code, or the recorded events if nothing was rejected. */
const refusalOf = (decision: () => readonly Typed[]): ErrorCode | string => {
  try {
    return `recorded ${decision().map(({ type }) => type)}`;
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
};
