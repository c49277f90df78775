export type Event<Type extends string, Data> = { readonly type: Type; readonly data: Readonly<Data> };
export type DomainCommand<Type extends string, Data> = { readonly type: Type; readonly data: Readonly<Data> };

/** Decides each type of command in a state. */
export type Decisions<Command extends { readonly type: string }, State, Evt> = {
  readonly [Type in Command['type']]: (
    command: Extract<Command, { readonly type: Type }>,
    state: State,
  ) => readonly Evt[];
};
