import { Attached } from './attached.js';
import { Slices } from './slices.js';

/**
 * Characters written together, without a pause. Longer texts are allocated one by one among large objects, which takes longer
 * than to write them.
 */
const PIECE = 65_536;
/** Characters of a chunk. */
const CHUNK = 262_144;

/** The JSON text of objects that has been written down already. */
const WRITTEN = new Attached<object, string>();

/** Caches the JSON text of an immutable object for {@link jsonPieces} and {@link keptJsonText}. */
export const keepJsonText = (value: unknown, text: string): void => {
  if (isObject(value) && Object.isExtensible(value)) WRITTEN.set(value, text);
};

export const keptJsonText = (value: unknown): string | undefined =>
  isObject(value) ? WRITTEN.get(value) : undefined;

/** Returns the output of `JSON.stringify` for `value` in pieces, written in slices between which the event loop runs. */
export const jsonPieces = async (value: unknown): Promise<readonly string[]> => {
  const writer = new Writer();
  await writer.write(value);
  return writer.pieces;
};

/** Returns the UTF-8 of {@link jsonPieces} in chunks of 256 KiB or a little more. */
export const jsonChunks = async (value: unknown): Promise<readonly Uint8Array[]> => {
  const writer = new Writer();
  await writer.write(value);
  return writer.chunks();
};

class Writer {
  readonly pieces: string[] = [];
  readonly #slices = new Slices();

  async chunks(): Promise<readonly Uint8Array[]> {
    const encoder = new TextEncoder();
    const chunks: Uint8Array[] = [];
    let text = '';
    const flush = async (): Promise<void> => {
      for (let from = 0; from < text.length; ) {
        const to = stretchEnd(text, from, CHUNK);
        chunks.push(encoder.encode(text.slice(from, to)));
        if (this.#slices.isOver) await this.#slices.next();
        from = to;
      }
      text = '';
    };
    for (const piece of this.pieces) {
      text += piece;
      if (text.length >= CHUNK) await flush();
    }
    await flush();
    return chunks;
  }

  async write(value: unknown): Promise<void> {
    if (this.#slices.isOver) await this.#slices.next();
    if (typeof value === 'string' && value.length > PIECE) return this.#string(value);
    const written = keptJsonText(value);
    if (written !== undefined) return this.#add(written);
    if (!isPlain(value) || lengthOf(value) < PIECE) return this.#add(JSON.stringify(value) ?? 'null');
    return Array.isArray(value) ? this.#array(value) : this.#object(value);
  }

  #add(text: string): void {
    this.pieces.push(text);
  }

  /** Adjacent small items are written together. */
  async #array(items: readonly unknown[]): Promise<void> {
    let before = '[';
    for (const run of runsOf(items)) {
      this.#add(before);
      before = ',';
      const [first] = run;
      if (run.length === 1) await this.write(first ?? null);
      else {
        this.#add(JSON.stringify(run).slice(1, -1));
        if (this.#slices.isOver) await this.#slices.next();
      }
    }
    this.#add(before === '[' ? '[]' : ']');
  }

  async #object(members: object): Promise<void> {
    let before = '{';
    for (const [name, member] of Object.entries(members)) {
      if (member === undefined) continue;
      this.#add(`${before}${JSON.stringify(name)}:`);
      await this.write(member);
      before = ',';
    }
    this.#add(before === '{' ? '{}' : '}');
  }

  async #string(text: string): Promise<void> {
    this.#add('"');
    let from = 0;
    while (from < text.length) {
      const to = stretchEnd(text, from, PIECE);
      this.#add(JSON.stringify(text.slice(from, to)).slice(1, -1));
      if (this.#slices.isOver) await this.#slices.next();
      from = to;
    }
    this.#add('"');
  }
}

/** The two halves of a surrogate pair stay together: apart they would be escaped, or be lost in UTF-8. */
const stretchEnd = (text: string, from: number, length: number): number => {
  const last = text.charCodeAt(from + length - 1);
  const isInPair = last >= 0xd800 && last <= 0xdbff;
  return from + length - (isInPair ? 1 : 0);
};

/** Items in runs of less than {@link PIECE} together; a larger one is alone. */
function* runsOf(items: readonly unknown[]): Generator<readonly unknown[]> {
  let run: unknown[] = [];
  let weight = 0;
  for (const item of items) {
    const own = lengthOf(item);
    if (run.length > 0 && weight + own >= PIECE) {
      yield run;
      [run, weight] = [[], 0];
    }
    run.push(item);
    weight += own;
  }
  if (run.length > 0) yield run;
}

/** Returns the length of a value's texts and names, and eight for each member; counts no further than {@link PIECE}. */
const lengthOf = (value: unknown): number => {
  let length = 0;
  const waiting = [value];
  while (waiting.length > 0 && length < PIECE) {
    const next = waiting.pop();
    length += typeof next === 'string' ? next.length : 8;
    if (typeof next !== 'object' || next === null) continue;
    if (Array.isArray(next)) for (const item of next) waiting.push(item);
    else {
      for (const name of Object.keys(next)) length += name.length;
      for (const member of Object.values(next)) waiting.push(member);
    }
  }
  return length;
};

/** An array, or an object that is written member by member. */
const isPlain = (value: unknown): value is object => isObject(value) && !('toJSON' in value);
const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
