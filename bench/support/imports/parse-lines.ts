import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';

/** Parses every line of a file, and discards the result. */
export const parseLines = async (file: string): Promise<void> => {
  for await (const line of createInterface({
    input: createReadStream(file),
    crlfDelay: Number.POSITIVE_INFINITY,
  })) {
    JSON.parse(line);
  }
};
