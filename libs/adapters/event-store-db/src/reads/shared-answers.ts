/**
 * Asks once for all who ask at nearly the same time. Nobody is given an answer to a question that was put before his own:
 * who comes while one is under way waits for the next, with everybody who comes until then.
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
