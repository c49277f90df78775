import { setImmediate as immediate } from 'node:timers/promises';
import { LIMITS } from '@app/kernel';
import { InvalidRequest } from '../problems.js';

/** Bounds the time for which a pass over all values of a document blocks other requests. */
const VALUES_MAX = LIMITS.values.max;
/** Bytes that are parsed at a time, in a few milliseconds; {@link VALUES_MAX} values with their commas fit. */
export const SLICE_BYTES = 2 * VALUES_MAX;
const LEVELS_MAX = LIMITS.depth.max;

/** An array or object of more than {@link SLICE_BYTES}; all positions are byte offsets. */
export type Part = {
  /** Offset of its opening bracket. */
  readonly start: number;
  /** Offset after its closing bracket. */
  readonly end: number;
  readonly isObject: boolean;
  /** Commas between its members at which it is cut into runs. */
  readonly cuts: readonly number[];
  /** Its large members, each alone in a run. */
  readonly inner: readonly Part[];
};

type Frame = {
  readonly start: number;
  readonly isObject: boolean;
  readonly cuts: number[];
  readonly inner: Part[];
  /** The last comma, or the opening bracket. */
  comma: number;
  /** Whether the member before the next comma is large. */
  isCutNext: boolean;
};

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Finds the commas at which a document can be cut into runs; `undefined` for a small document or a single string.
 *
 * @throws {SyntaxError} if brackets or quotes do not match. @throws {InvalidRequest} for too many values or levels.
 */
export const partsOf = async (bytes: Buffer): Promise<Part | undefined> => {
  const frames: Frame[] = [];
  let root: Part | undefined;
  let values = 1;
  let pause = SLICE_BYTES;
  for (let at = 0; at < bytes.length; at += 1) {
    if (at >= pause) {
      await immediate();
      pause = at + SLICE_BYTES;
    }
    const byte = bytes[at];
    if (byte === QUOTE) at = endOfString(bytes, at);
    else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
      if (frames.length === LEVELS_MAX) throw refused(`it is nested deeper than ${LEVELS_MAX} levels`);
      values += 1;
      frames.push(opened(at, byte === OPEN_OBJECT));
    } else if (byte === COMMA) {
      values += 1;
      if (values > VALUES_MAX)
        throw refused(`it has more than ${VALUES_MAX} values: send it in several parts`);
      passComma(frames.at(-1), at);
    } else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) {
      const part = closed(frames.pop(), at, byte === CLOSE_OBJECT);
      if (part && frames.length === 0) root = part;
      if (part) holdLarge(frames.at(-1), part);
    }
  }
  if (frames.length > 0) throw new SyntaxError('a bracket is not closed');
  return root;
};

const opened = (start: number, isObject: boolean): Frame => ({
  ...{ start, isObject, comma: start, isCutNext: false },
  cuts: [],
  inner: [],
});

const passComma = (frame: Frame | undefined, at: number): void => {
  if (!frame) throw new SyntaxError('a comma outside');
  if (frame.isCutNext || at - (frame.cuts.at(-1) ?? frame.start) >= SLICE_BYTES) frame.cuts.push(at);
  frame.isCutNext = false;
  frame.comma = at;
};

/** Returns the frame as a part; `undefined` if it is small. */
const closed = (frame: Frame | undefined, at: number, isObject: boolean): Part | undefined => {
  if (!frame || frame.isObject !== isObject) throw new SyntaxError('brackets do not match');
  const { start, cuts, inner } = frame;
  return at - start < SLICE_BYTES ? undefined : { start, end: at + 1, isObject, cuts, inner };
};

/** Adds a large member, alone in its run. */
const holdLarge = (frame: Frame | undefined, part: Part): void => {
  if (!frame) return;
  if (frame.comma > (frame.cuts.at(-1) ?? frame.start)) frame.cuts.push(frame.comma);
  if (frame.isCutNext) throw new SyntaxError('a comma is missing');
  frame.inner.push(part);
  frame.isCutNext = true;
};

/** Returns the offset of the closing quote of the string at `start`. @throws {SyntaxError} if it has none. */
const endOfString = (bytes: Buffer, start: number): number => {
  for (let end = bytes.indexOf(QUOTE, start + 1); end >= 0; end = bytes.indexOf(QUOTE, end + 1)) {
    let escapes = 0;
    while (bytes[end - 1 - escapes] === BACKSLASH) escapes += 1;
    if (escapes % 2 === 0) return end;
  }
  throw new SyntaxError('a string is not closed');
};

const refused = (problem: string): InvalidRequest => new InvalidRequest([{ at: 'body', problem }]);
