import { weightOf } from './json.js';
import { Slices } from './slices.js';

/** Bytes or characters written without a pause: half a millisecond. */
const PIECE = 262_144;

/** The JSON text of objects that has been written down already. */
const WRITTEN = new WeakMap<object, string>();

/** Caches the JSON text of an immutable object for {@link jsonText}. */
export const keepJsonText = (value: object, text: string): void => {
  WRITTEN.set(value, text);
};

/** Returns the output of `JSON.stringify` for `value`, written in slices between which the event loop runs. */
export const jsonText = async (value: unknown): Promise<string> => {
  const writer = new Writer();
  await writer.write(value);
  return writer.text;
};

/** Returns the UTF-8 of {@link jsonText} in chunks of 256 KiB or a little more. */
export const jsonChunks = async (value: unknown): Promise<readonly Uint8Array[]> => {
  const writer = new Writer();
  await writer.write(value);
  return writer.chunks();
};

class Writer {
  readonly #pieces: string[] = [];
  readonly #slices = new Slices();

  get text(): string {
    return this.#pieces.join('');
  }

  async chunks(): Promise<readonly Uint8Array[]> {
    const encoder = new TextEncoder();
    const chunks: Uint8Array[] = [];
    let text = '';
    const flush = async (): Promise<void> => {
      for (let from = 0; from < text.length; ) {
        const to = stretchEnd(text, from);
        chunks.push(encoder.encode(text.slice(from, to)));
        if (this.#slices.isOver) await this.#slices.next();
        from = to;
      }
      text = '';
    };
    for (const piece of this.#pieces) {
      text += piece;
      if (text.length >= PIECE) await flush();
    }
    await flush();
    return chunks;
  }

  async write(value: unknown): Promise<void> {
    if (this.#slices.isOver) await this.#slices.next();
    if (typeof value === 'string' && value.length > PIECE) return this.#string(value);
    if (!isPlain(value) || weightOf(value, PIECE) < PIECE) return this.#add(JSON.stringify(value) ?? 'null');
    const written = WRITTEN.get(value);
    if (written !== undefined) return this.#add(written);
    return Array.isArray(value) ? this.#array(value) : this.#object(value);
  }

  #add(text: string): void {
    this.#pieces.push(text);
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
      const to = stretchEnd(text, from);
      this.#add(JSON.stringify(text.slice(from, to)).slice(1, -1));
      if (this.#slices.isOver) await this.#slices.next();
      from = to;
    }
    this.#add('"');
  }
}

/** The two halves of a surrogate pair stay together: apart they would be escaped, or be lost in UTF-8. */
const stretchEnd = (text: string, from: number): number => {
  const last = text.charCodeAt(from + PIECE - 1);
  const isInPair = last >= 0xd800 && last <= 0xdbff;
  return from + PIECE - (isInPair ? 1 : 0);
};

/** Items in runs of less than {@link PIECE} together; a larger one is alone. */
function* runsOf(items: readonly unknown[]): Generator<readonly unknown[]> {
  let run: unknown[] = [];
  let weight = 0;
  for (const item of items) {
    const own = weightOf(item, PIECE);
    if (run.length > 0 && weight + own >= PIECE) {
      yield run;
      [run, weight] = [[], 0];
    }
    run.push(item);
    weight += own;
  }
  if (run.length > 0) yield run;
}

/** An array, or an object that is written member by member. */
const isPlain = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !('toJSON' in value);
