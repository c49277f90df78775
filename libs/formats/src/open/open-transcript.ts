import { AppError } from '@app/kernel';
import { settle } from '../drafts/settle.js';
import type { Format } from '../format.js';
import { FORMATS } from '../formats.js';
import { type Entry, parseLine } from '../lines/parse-line.js';
import { LINE_BYTES_MAX, readLines } from '../lines/read-lines.js';
import type { TranscriptFormat, TranscriptItem, TranscriptLine } from '../transcript.js';
import { Head } from './head.js';
import { jsonFault } from './json-fault.js';

export type OpenedTranscript = {
  readonly format: TranscriptFormat;
  /** Can be read once. Its end, and breaking it off, close the bytes; who does not begin it closes them. */
  readonly items: AsyncIterable<TranscriptItem>;
};

/**
 * Tells the format of a transcript by what stands in it, and reads it. `source.name` is the file's name: error
 * messages show it, and sessions that have no id are named after it.
 *
 * Memory: files of lines are read as `items` is, a message or two ahead; a JSON document is read whole.
 * Errors: `nothing-to-import` where the file is empty, `unknown-format` where it is in no known one, and those
 * of `bytes`. `items` throws only the last: what cannot be used is `skipped`.
 */
export const openTranscript = async (
  bytes: AsyncIterable<Uint8Array>,
  source: { readonly name: string },
): Promise<OpenedTranscript> => {
  const lines = readLines(bytes);
  try {
    const { format, entries } = await recognized(lines, source.name);
    return { format: format.name, items: settle(format.read(onFrom(entries, lines)), source.name) };
  } catch (error) {
    await lines.return();
    throw error;
  }
};

type Lines = AsyncGenerator<TranscriptLine, void, undefined>;

const recognized = async (lines: Lines, name: string): Promise<{ format: Format; entries: Entry[] }> => {
  const head = new Head();
  let next = await lines.next();
  while (!next.done && !head.take(next.value)) next = await lines.next();

  const format = head.verdict();
  if (format !== undefined) return { format, entries: head.entries };
  if (head.isEmpty) throw new AppError('nothing-to-import', `${name} is empty: there is nothing to import`);
  throw unknownFormat(name, head);
};

const unknownFormat = (name: string, head: Head): AppError => {
  const known = FORMATS.map((format) => format.name).join(', ');
  const fault = faultOf(head);
  const seen = fault === undefined ? '' : ` (read as one JSON document, ${fault})`;
  return new AppError('unknown-format', `${name} is in no known format${seen}: use one of ${known}`);
};

const faultOf = (head: Head): string | undefined => {
  if (head.isTooLarge) return `it has more than ${LINE_BYTES_MAX} characters`;
  return head.brokenDocument === undefined ? undefined : jsonFault(head.brokenDocument);
};

/** What was read to tell the format, and then the rest. */
async function* onFrom(entries: Entry[], lines: Lines): AsyncGenerator<Entry, void, undefined> {
  try {
    // Taken out one by one: they are not to stay in memory while the rest is read.
    for (let entry = entries.shift(); entry !== undefined; entry = entries.shift()) yield entry;
    for await (const line of lines) yield* parseLine(line);
  } finally {
    await lines.return();
  }
}
