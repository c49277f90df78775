import { isUtf8 } from 'node:buffer';
import { setImmediate as yieldToLoop } from 'node:timers/promises';
import { type Json, LIMITS, Slices } from '@app/kernel';
import { InvalidRequest } from '../problems.js';

/** Bounds the time for which a pass over all values of a document blocks other requests. */
const VALUES_MAX = LIMITS.values.max;
/** Bytes that are parsed at a time, in a few milliseconds; {@link VALUES_MAX} values with their commas fit. */
const SLICE_BYTES = 2 * VALUES_MAX;
const LEVELS_MAX = LIMITS.depth.max;

/** An array or object of more than {@link SLICE_BYTES}; all positions are byte offsets. */
type Part = {
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
const partsOf = async (bytes: Buffer, valuesBeside: number): Promise<Part | undefined> => {
  const frames: Frame[] = [];
  let root: Part | undefined;
  let values = 1 + valuesBeside;
  let pause = SLICE_BYTES;
  for (let at = 0; at < bytes.length; at += 1) {
    if (at >= pause) {
      await yieldToLoop();
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
  start,
  isObject,
  comma: start,
  isCutNext: false,
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

/**
 * Parses a JSON document, with the result of `JSON.parse`. A large one is parsed in slices, between which other requests are
 * served.
 *
 * @param valuesBeside values of a larger document beside this part of it, which count towards the limit.
 * @throws {InvalidRequest} for invalid UTF-8, invalid JSON, too many values or too many levels.
 */
export const documentIn = async (bytes: Buffer, valuesBeside = 0): Promise<Json> => {
  requireUtf8(bytes);
  try {
    const isSmall = bytes.length <= SLICE_BYTES && valuesBeside === 0;
    const root = isSmall ? undefined : await partsOf(bytes, valuesBeside);
    if (!root) return await parseWhole(bytes);
    const isBlank = (text: string): boolean => /^[ \t\r\n]*$/.test(text);
    if (isBlank(textIn(bytes, 0, root.start)) && isBlank(textIn(bytes, root.end, bytes.length)))
      return await parsePart(bytes, root);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new InvalidRequest([{ at: 'body', problem: 'it is not valid JSON' }]);
};

/** Refuses bytes that decode to replacement characters. @throws {InvalidRequest} */
export const requireUtf8 = (bytes: Buffer): void => {
  if (!isUtf8(bytes)) throw refused('it is not valid UTF-8: encode the JSON as UTF-8');
};

/** Parses a whole document at once. */
const parseWhole = async (bytes: Buffer): Promise<Json> => {
  const slices = new Slices();
  const value = parse(bytes.toString('utf8'));
  if (slices.isOver) await slices.next();
  return value;
};

/** @throws {SyntaxError} */
const parse = (text: string): Json => JSON.parse(text);

const textIn = (bytes: Buffer, start: number, end: number): string => bytes.toString('utf8', start, end);

/** Parses a large array or object: each run of members by itself, and large members recursively. */
const parsePart = async (bytes: Buffer, part: Part): Promise<Json> => {
  const items: Json[] = [];
  const members: Record<string, Json> = {};
  let inner = 0;
  let start = part.start + 1;
  for (const end of [...part.cuts, part.end - 1]) {
    await yieldToLoop();
    const large = part.inner[inner];
    const isHere = large !== undefined && large.start < end;
    const text = isHere
      ? `${textIn(bytes, start, large.start)}null${textIn(bytes, large.end, end)}`
      : textIn(bytes, start, end);
    // An empty run means a superfluous comma.
    if (part.cuts.length > 0 && text.trim() === '') throw new SyntaxError('an empty member');
    const value = isHere ? await parsePart(bytes, large) : undefined;
    if (isHere) inner += 1;
    const run = parse(part.isObject ? `{${text}}` : `[${text}]`);
    if (Array.isArray(run)) for (const item of run) items.push(value ?? item);
    else
      for (const [name, member] of Object.entries(run ?? {}))
        Object.defineProperty(members, name, { value: value ?? member, ...OWN });
    start = end + 1;
  }
  return part.isObject ? members : items;
};

/** Defines members as `JSON.parse` does, also `__proto__`. */
const OWN = { writable: true, enumerable: true, configurable: true } as const;
