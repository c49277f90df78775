/** One call of a client: between `start` and `end`, in ticks of one clock, it took effect at some instant. */
export type Operation<Call, Result> = {
  readonly start: number;
  /** Infinity where no answer came: then it may have taken effect at any later time, or never. */
  readonly end: number;
  readonly call: Call;
  /** Absent where no answer came. */
  readonly result?: Result;
};

/** What a correct server would do if it did one thing after the other. States are compared by their keys. */
export type Model<State, Call, Result> = {
  readonly initial: State;
  readonly keyOf: (state: State) => string;
  /** The state after `call`, or `undefined` where it could not have been answered so. No result: any answer will do. */
  readonly step: (state: State, call: Call, result: Result | undefined) => State | undefined;
};

/**
 * Whether a concurrent history could have come from a server that does one thing after the other, each between its
 * call and its answer. The search of Wing and Gong, “Testing and verifying concurrent objects” (1993), with Lowe's
 * memory of what was tried, “Testing for linearizability” (2017).
 */
export const isLinearizable = <State, Call, Result>(
  model: Model<State, Call, Result>,
  history: readonly Operation<Call, Result>[],
): boolean => {
  const operations = [...history].sort((one, other) => one.start - other.start);
  const tried = new Set<string>();
  const stack = [{ state: model.initial, done: 0n }];
  const answered = operations.reduce(
    (mask, { end }, index) => (end === Number.POSITIVE_INFINITY ? mask : mask | (1n << BigInt(index))),
    0n,
  );
  for (let point = stack.pop(); point; point = stack.pop()) {
    const { state, done } = point;
    if ((done & answered) === answered) return true;
    for (const index of candidates(operations, done)) {
      const operation = operations[index];
      if (!operation) continue;
      const next = model.step(state, operation.call, operation.result);
      if (next === undefined) continue;
      const after = done | (1n << BigInt(index));
      const key = `${after.toString(36)} ${model.keyOf(next)}`;
      if (tried.has(key)) continue;
      tried.add(key);
      stack.push({ state: next, done: after });
    }
  }
  return false;
};

/** The operations that may come next: none that is open had ended before they began. */
const candidates = <Call, Result>(
  operations: readonly Operation<Call, Result>[],
  done: bigint,
): readonly number[] => {
  const open: number[] = [];
  let firstEnd = Number.POSITIVE_INFINITY;
  for (const [index, { start, end }] of operations.entries()) {
    if (start > firstEnd) break; // Sorted by their start: all that follow begin later still.
    if ((done >> BigInt(index)) & 1n) continue;
    open.push(index);
    firstEnd = Math.min(firstEnd, end);
  }
  return open.filter((index) => (operations[index]?.start ?? 0) <= firstEnd);
};
