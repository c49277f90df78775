import { jsonText } from '@app/formats';

/** The result goes to stdout, so that it can be piped. */
export const print = (text: string): void => void process.stdout.write(`${text}\n`);

/** Text as it is, its line ends included; waits where the reader of a pipe is slower than we are. */
export const printText = async (text: string): Promise<void> => {
  if (!process.stdout.write(text)) await new Promise((resolve) => process.stdout.once('drain', resolve));
};

export const printLine = (text: string): Promise<void> => printText(`${text}\n`);

export const json = jsonText;
export const printJson = (value: unknown): void => print(jsonText(value));

/** Progress and notes go to stderr: they are not the result. */
export const note = (text: string): void => void process.stderr.write(`${text}\n`);
