/** A client's call, which takes effect at some instant between `start` and `end`, in ticks of one clock. */
export type Operation<Call, Result> = {
  readonly start: number;
  /** Infinity without an answer: then it may take effect at any later time, or never. */
  readonly end: number;
  readonly call: Call;
  /** Absent without an answer. */
  readonly result?: Result;
};

/** A sequential model of the server. States are compared by their keys. */
export type Model<State, Call, Result> = {
  readonly initial: State;
  readonly keyOf: (state: State) => string;
  /**
   * Returns the state after `call`, or `undefined` if `result` is impossible. Without a result any answer is
   * possible.
   */
  readonly step: (state: State, call: Call, result: Result | undefined) => State | undefined;
};

/**
 * Whether a concurrent history is linearizable. The search of Wing and Gong, “Testing and verifying concurrent
 * objects” (1993), with Lowe's memoization, “Testing for linearizability” (2017).
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

/** Returns the operations that may be next: no open one had ended before they began. */
const candidates = <Call, Result>(
  operations: readonly Operation<Call, Result>[],
  done: bigint,
): readonly number[] => {
  const open: number[] = [];
  let firstEnd = Number.POSITIVE_INFINITY;
  for (const [index, { start, end }] of operations.entries()) {
    if (start > firstEnd) break; // Sorted by start: later operations start later.
    if ((done >> BigInt(index)) & 1n) continue;
    open.push(index);
    firstEnd = Math.min(firstEnd, end);
  }
  return open.filter((index) => (operations[index]?.start ?? 0) <= firstEnd);
};
