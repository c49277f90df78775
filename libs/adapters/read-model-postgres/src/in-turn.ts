/**
 * Returns `work` with its calls one after the other: work that holds a connection of the pool while it waits for a lock, or
 * for queries on other connections, would otherwise take all of them.
 */
export const inTurn = <Given extends readonly unknown[], Result>(
  work: (...given: Given) => Promise<Result>,
): ((...given: Given) => Promise<Result>) => {
  let last: Promise<unknown> = Promise.resolve();
  return (...given) => {
    const next = last.then(() => work(...given));
    last = next.catch(() => undefined);
    return next;
  };
};

/**
 * The same for work that serves everyone who asked before it began: all calls that come meanwhile share the next.
 */
export const inTurnForAll = <Result>(work: () => Promise<Result>): (() => Promise<Result>) => {
  let next: Promise<Result> | undefined;
  const begin = inTurn(() => {
    next = undefined;
    return work();
  });
  return () => {
    next ??= begin();
    return next;
  };
};
