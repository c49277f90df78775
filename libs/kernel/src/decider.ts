export type Event<Type extends string, Data> = { readonly type: Type; readonly data: Readonly<Data> };
export type DomainCommand<Type extends string, Data> = { readonly type: Type; readonly data: Readonly<Data> };

/** Three pure functions that are a consistency boundary: what is, what happened, what may happen. */
export type Decider<State, Cmd, Evt> = {
  readonly initialState: State;
  readonly evolve: (state: State, event: Evt) => State;
  readonly decide: (command: Cmd, state: State) => readonly Evt[];
};
