import { setImmediate as immediate } from 'node:timers/promises';
import { type Json, Slices } from '@app/kernel';
import { InvalidRequest } from '../problems.js';
import { type Part, partsOf, SLICE_BYTES } from './json-parts.js';

/**
 * The JSON document that `bytes` are. A large one is parsed in slices, and other requests are served between them; the result
 * is that of `JSON.parse`.
 *
 * @throws {InvalidRequest} where it is none, or has more values or levels than are taken.
 */
export const documentIn = async (bytes: Buffer): Promise<Json> => {
  try {
    const root = bytes.length <= SLICE_BYTES ? undefined : await partsOf(bytes);
    if (!root) return await alone(bytes);
    const isAlone = (text: string): boolean => /^[ \t\r\n]*$/.test(text);
    if (isAlone(textIn(bytes, 0, root.start)) && isAlone(textIn(bytes, root.end, bytes.length)))
      return await built(bytes, root);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new InvalidRequest([{ at: 'body', problem: 'it is no JSON' }]);
};

/** All of a document at once. */
const alone = async (bytes: Buffer): Promise<Json> => {
  const slices = new Slices();
  const value = parse(bytes.toString('utf8'));
  if (slices.isOver) await slices.next();
  return value;
};

/** The one place in which text of a body becomes a value. @throws {SyntaxError} */
const parse = (text: string): Json => JSON.parse(text);

const textIn = (bytes: Buffer, start: number, end: number): string => bytes.toString('utf8', start, end);

/** A large array or object: runs of members are parsed by themselves, and large members by theirs. */
const built = async (bytes: Buffer, part: Part): Promise<Json> => {
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
    // A run without a member stands beside a comma too many.
    if (part.cuts.length > 0 && text.trim() === '') throw new SyntaxError('an empty member');
    const value = isHere ? await built(bytes, large) : undefined;
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

/** As `JSON.parse` makes a member, whatever its name is. */
const OWN = { writable: true, enumerable: true, configurable: true } as const;
