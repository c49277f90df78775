/** The result of {@link within} for work that takes longer. */
export const LATE = Symbol('late');

/** Returns the result of `work`, or {@link LATE} after these milliseconds; the outcome of late work is ignored. */
export const within = async <Result>(
  milliseconds: number,
  work: Promise<Result>,
): Promise<Result | typeof LATE> => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<typeof LATE>((resolve) => {
    timer = setTimeout(resolve, milliseconds, LATE);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
};
