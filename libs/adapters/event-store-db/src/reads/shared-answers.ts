/**
 * Shares one query among concurrent callers. A caller never receives the result of a query that started before its
 * call: callers during a query share the next one.
 */
export const sharedAnswers = <Answer>(ask: () => Promise<Answer>): (() => Promise<Answer>) => {
  let underWay: Promise<unknown> = Promise.resolve();
  let next: Promise<Answer> | undefined;
  const askNext = (): Promise<Answer> => {
    next = undefined;
    const answer = ask();
    underWay = answer.catch(() => undefined);
    return answer;
  };
  return () => {
    next ??= underWay.then(askNext);
    return next;
  };
};
