/**
 * The result of `work`, unless `signal` aborts first: for work that is asked to heed the signal, and may not.
 *
 * @throws the reason of `signal`; the outcome of `work` is then ignored.
 */
export const unlessAborted = async <Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> => {
  let abort = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
};
