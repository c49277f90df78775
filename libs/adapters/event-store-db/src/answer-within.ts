/** The call timed out; its outcome is unknown. */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError';
}

/**
 * Returns the result of a call.
 * @throws {NoAnswerError} after the timeout.
 */
export const answerWithin = async <Result>(milliseconds: number, call: Promise<Result>): Promise<Result> => {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new NoAnswerError(`no answer in ${milliseconds} ms`)), milliseconds);
  });
  try {
    return await Promise.race([call, silence]);
  } finally {
    clearTimeout(timer);
  }
};
