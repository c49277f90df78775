/** The result goes to stdout, so that it can be piped. */
export const print = (text: string): void => void process.stdout.write(`${text}\n`);

/** Waits where the reader of a pipe is slower than we are. */
export const printLine = async (text: string): Promise<void> => {
  if (!process.stdout.write(`${text}\n`))
    await new Promise((resolve) => process.stdout.once('drain', resolve));
};

export const printJson = (value: unknown): void => print(json(value));

/** One line; positions in the log are larger than JSON's numbers, and become strings. */
export const json = (value: unknown): string =>
  JSON.stringify(value, (_, member: unknown) => (typeof member === 'bigint' ? member.toString() : member));

/** Progress and notes go to stderr: they are not the result. */
export const note = (text: string): void => void process.stderr.write(`${text}\n`);
