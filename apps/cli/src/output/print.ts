import { jsonText } from '@app/formats';
import { visible } from './visible.js';

/** Prints the result to stdout; control sequences are escaped, also in a pipe. */
export const print = (text: string): void => void process.stdout.write(`${visible(text)}\n`);

/** Prints text with its line ends, escaped on a terminal only; waits for a slow reader of a pipe. */
export const printText = async (text: string): Promise<void> => {
  if (!process.stdout.write(process.stdout.isTTY ? visible(text) : text))
    await new Promise((resolve) => process.stdout.once('drain', resolve));
};

export const printLine = (text: string): Promise<void> => printText(`${text}\n`);

/** Returns a value as JSON with terminal control characters as JSON escapes. */
export const json = (value: unknown): string => visible(jsonText(value));
export const printJson = (value: unknown): void => print(json(value));

/** Prints progress and notes to stderr; stdout has only the result. */
export const note = (text: string): void => void process.stderr.write(`${visible(text)}\n`);
