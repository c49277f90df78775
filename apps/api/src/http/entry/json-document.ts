import { setImmediate as immediate } from 'node:timers/promises';
import { type Json, Slices } from '@app/kernel';
import { InvalidRequest } from '../problems.js';
import { type Part, partsOf, SLICE_BYTES } from './json-parts.js';

/**
 * Parses a JSON document, with the result of `JSON.parse`. A large one is parsed in slices, between which other requests are
 * served.
 *
 * @throws {InvalidRequest} for invalid JSON, too many values or too many levels.
 */
export const documentIn = async (bytes: Buffer): Promise<Json> => {
  try {
    const root = bytes.length <= SLICE_BYTES ? undefined : await partsOf(bytes);
    if (!root) return await parseWhole(bytes);
    const isBlank = (text: string): boolean => /^[ \t\r\n]*$/.test(text);
    if (isBlank(textIn(bytes, 0, root.start)) && isBlank(textIn(bytes, root.end, bytes.length)))
      return await parsePart(bytes, root);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new InvalidRequest([{ at: 'body', problem: 'it is not valid JSON' }]);
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
    await immediate();
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
