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
