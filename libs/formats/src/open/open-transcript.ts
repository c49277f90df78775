import { AppError } from '@app/kernel';
import { documentEntries } from '../documents/document-entries.js';
import { settle } from '../drafts/settle.js';
import { FORMATS, type Format, type TranscriptFormat } from '../formats.js';
import { type Entry, parseLine } from '../lines/parse-line.js';
import { readLines } from '../lines/read-lines.js';
import type { TranscriptItem } from '../transcript.js';
import { Elements } from './elements.js';
import { Head } from './head.js';
import { asUtf8, KeptBytes } from './kept-bytes.js';
import { packingOf } from './packing.js';
import { Recognizer } from './recognizer.js';

export type OpenedTranscript = {
  readonly format: TranscriptFormat;
  /** Can be read once. Its end, and breaking it off, close the bytes; who does not begin it closes them. */
  readonly items: AsyncIterable<TranscriptItem>;
};

export type OpenTranscriptOptions = {
  /** The file's name: error messages show it, and sessions that have no id are named after it. */
  readonly name: string;
  /**
   * Returns the digest of a session's first messages, hexadecimal, which follows the file's name in the id of a session. Ids
   * outlive erased content: a digest with a key. Without it, such sessions are named after the file alone.
   */
  readonly digest?: (text: string) => string;
  /** A JSON document of more bytes is read in parts. */
  readonly wholeBytesMax?: number;
  /** Bytes of elements in such a part. */
  readonly partBytes?: number;
};

const WHOLE_BYTES_MAX = 16 * 1024 * 1024;

/**
 * Detects the format of a transcript by its content, and reads it.
 * Memory: files of lines are read on demand, a message or two ahead; a JSON document is read as a whole up to 16 MiB,
 * and in parts of 1 MiB if it is larger or broken. Errors: `nothing-to-import` for an empty file, `unknown-format`,
 * and those of `bytes`. `items` throws only the last; unusable content is `skipped`.
 */
export const openTranscript = async (
  bytes: AsyncIterable<Uint8Array>,
  options: OpenTranscriptOptions,
): Promise<OpenedTranscript> => {
  const kept = new KeptBytes(bytes, options.wholeBytesMax ?? WHOLE_BYTES_MAX);
  try {
    const { format, entries } = await recognized(kept, options);
    return { format: format.name, items: settle(format.read(closing(entries, kept)), options) };
  } catch (error) {
    await kept.close();
    throw error;
  }
};

type Recognized = { readonly format: Format; readonly entries: AsyncIterable<Entry> };

const recognized = async (kept: KeptBytes, options: OpenTranscriptOptions): Promise<Recognized> => {
  const { head, entries } = await readHead(kept.first(), kept);
  const isDocument = head.isDocument === true;
  if (kept.isCut && !isDocument) return recognizedLines(kept, options);
  const format = kept.isCut ? undefined : head.verdict();
  if (format !== undefined) return { format, entries };
  const inParts = isDocument
    ? await recognizedInParts(kept, head.isWhole, options)
    : recognizedWithin(head, entries);
  if (inParts !== undefined) return inParts;
  throw head.isEmpty ? nothingIn(options.name) : unknownFormat(options.name, head, kept.start);
};

/** Lines whose first one exceeds the size of a document read as a whole, and is not a document. */
const recognizedLines = async (kept: KeptBytes, { name }: OpenTranscriptOptions): Promise<Recognized> => {
  const { head, entries } = await readHead(kept.again(), kept);
  const format = head.verdict();
  if (format === undefined) throw unknownFormat(name, head, kept.start);
  return { format, entries };
};

/** Lines that contain lists of records of a line format. */
const recognizedWithin = (head: Head, entries: AsyncIterable<Entry>): Recognized | undefined => {
  const elements = new Elements();
  for (const entry of head.entries) if (entry.kind === 'record') elements.weigh(entry.value);
  const { found } = elements;
  return found && { format: found.format, entries: found.of(entries) };
};

/**
 * Reads the first lines, and returns all entries, those lines included. Lines that are certainly not a document are
 * not kept.
 */
const readHead = async (bytes: AsyncIterable<Uint8Array>, kept: KeptBytes) => {
  const head = new Head();
  const lines = readLines(bytes);
  let next = await lines.next();
  while (!next.done && !head.take(next.value)) {
    if (head.isDocument === false) kept.forget();
    next = await lines.next();
  }
  if (head.isDocument === false) kept.forget();
  async function* entries(): AsyncGenerator<Entry, void, undefined> {
    yield* takenFrom(head.entries);
    for await (const line of lines) yield* parseLine(line);
  }
  return { head, entries: entries() };
};

/**
 * Detects a document that is too large or broken, or whose elements are records of a line format; `undefined` if no
 * part has a known format.
 *
 * @param isWhole whether it was read at once and matches no document format: only its elements may match.
 */
const recognizedInParts = async (
  kept: KeptBytes,
  isWhole: boolean,
  { partBytes }: OpenTranscriptOptions,
): Promise<Recognized | undefined> => {
  const sized = isWhole ? { partBytes: 1 } : partBytes === undefined ? {} : { partBytes };
  const parts = documentEntries(asUtf8(kept.again()), sized);
  const recognizer = new Recognizer();
  const elements = new Elements();
  const first: Entry[] = [];
  for (let next = await parts.next(); !next.done; next = await parts.next()) {
    first.push(next.value);
    if (next.value.kind === 'record') {
      if (!isWhole) recognizer.weigh(next.value.value);
      elements.weigh(next.value.value);
    }
    const isEnough = isWhole ? elements.found || elements.isSpent : first.length >= PARTS_MAX;
    if (recognizer.isCertain || isEnough) break;
  }
  async function* entries(): AsyncGenerator<Entry, void, undefined> {
    yield* takenFrom(first);
    yield* parts;
  }
  if (recognizer.format) return { format: recognizer.format, entries: entries() };
  const { found } = elements;
  return found && { format: found.format, entries: found.of(entries()) };
};
/** Parts of a document that are tried for a format. */
const PARTS_MAX = 32;

/** Taken out one by one: they are not to stay in memory while the rest is read. */
function* takenFrom(entries: Entry[]): Generator<Entry> {
  for (let entry = entries.shift(); entry !== undefined; entry = entries.shift()) yield entry;
}

async function* closing(
  entries: AsyncIterable<Entry>,
  kept: KeptBytes,
): AsyncGenerator<Entry, void, undefined> {
  try {
    yield* entries;
  } finally {
    await kept.close();
  }
}

const nothingIn = (name: string): AppError =>
  new AppError('nothing-to-import', `${name} is empty: there is nothing to import`);

const unknownFormat = (name: string, head: Head, start: Uint8Array): AppError => {
  const refused = (why: string) => new AppError('unknown-format', `${name} is in no known format${why}`);
  const packing = packingOf(start);
  if (packing !== undefined) return refused(`: it is packed with ${packing}, unpack it first`);
  const known = FORMATS.map((format) => format.name).join(', ');
  const fault = head.brokenDocument === undefined ? undefined : jsonFault(head.brokenDocument);
  const seen = fault === undefined ? '' : ` (read as one JSON document, ${fault})`;
  return refused(`${seen}: use one of ${known}`);
};

/**
 * Returns where `text` stops being JSON, if the platform's message has a position. The message itself quotes the
 * text, which must not get into errors.
 */
const jsonFault = (text: string): string | undefined => {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    if (/end of JSON input/.test(message)) return 'it ends in the middle';
    const position = / at position (\d+)(?: \(line \d+ column \d+\))?$/.exec(message)?.[1];
    if (position === undefined) return undefined;
    const before = text.slice(0, Number(position)).split('\n');
    return `it breaks at line ${before.length}, column ${(before.at(-1) ?? '').length + 1}`;
  }
};
