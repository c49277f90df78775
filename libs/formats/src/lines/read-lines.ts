import type { TranscriptLine } from '../transcript.js';
import { encodingOf, MARK_BYTES_MAX } from './encoding.js';
import { LineSplitter } from './line-splitter.js';

/** The longest line that is read: an image of 100 MB as base64 fits, and the line still fits into one string. */
export const LINE_BYTES_MAX = 256 * 1024 * 1024;

export type ReadLinesOptions = {
  /** Longer lines are reported without their text. */
  readonly lineBytesMax?: number;
};

/**
 * Yields every line of a file, including blank ones, numbered from 1. Line ends are `\n` and `\r\n`; the last line
 * may be unterminated. UTF-8, or UTF-16 with a byte order mark.
 * Memory: one line at a time, at most `lineBytesMax` of it. Errors: those of `bytes`; an unreadable line is yielded
 * without text and with a reason, and later lines are unaffected.
 */
export async function* readLines(
  bytes: AsyncIterable<Uint8Array>,
  { lineBytesMax = LINE_BYTES_MAX }: ReadLinesOptions = {},
): AsyncGenerator<TranscriptLine, void, undefined> {
  let start: Buffer | undefined = Buffer.alloc(0);
  let splitter = splitterFor(start, lineBytesMax);
  for await (const chunk of bytes) {
    if (start === undefined) {
      yield* splitter.push(chunk);
      continue;
    }
    start = Buffer.concat([start, chunk]);
    if (start.length < MARK_BYTES_MAX) continue;
    splitter = splitterFor(start, lineBytesMax);
    yield* splitter.push(start.subarray(encodingOf(start).markBytes));
    start = undefined;
  }
  if (start !== undefined) {
    splitter = splitterFor(start, lineBytesMax);
    yield* splitter.push(start.subarray(encodingOf(start).markBytes));
  }
  yield* splitter.end();
}

const splitterFor = (start: Uint8Array, lineBytesMax: number): LineSplitter =>
  new LineSplitter(encodingOf(start), lineBytesMax);
