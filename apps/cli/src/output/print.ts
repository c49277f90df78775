import { jsonText } from '@app/formats';
import { visible } from './visible.js';

/** Prints the result to stdout; control sequences are escaped, also in a pipe. */
export const print = (text: string): void => void process.stdout.write(`${visible(text)}\n`);

/** Text as it is, its line ends included, and only on a terminal escaped; waits where the reader of a pipe is slower than we are. */
export const printText = async (text: string): Promise<void> => {
  if (!process.stdout.write(process.stdout.isTTY ? visible(text) : text))
    await new Promise((resolve) => process.stdout.once('drain', resolve));
};

export const printLine = (text: string): Promise<void> => printText(`${text}\n`);

/** A value as JSON, whose strings have escapes for what a terminal would obey: they are the same strings. */
export const json = (value: unknown): string => visible(jsonText(value));
export const printJson = (value: unknown): void => print(json(value));

/** Progress and notes go to stderr: they are not the result. */
export const note = (text: string): void => void process.stderr.write(`${visible(text)}\n`);
