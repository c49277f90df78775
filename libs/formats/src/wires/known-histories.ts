import { randomUUID } from 'node:crypto';
import { isJsonObject, type Json, type JsonObject, ownMember } from '@app/kernel';
import type { Range } from './raw/ranges.js';
import type { Wire } from './wire.js';
import { itemRangesIn } from './write-body.js';

/** Characters of a body from which its history is kept; a smaller one is parsed in a few milliseconds. */
const LARGE = 200_000;
/** Maximum bytes of all kept histories. */
const KEPT_MAX = 24 * 1_048_576;
/** Parts of a history, which are joined above this number. */
const PARTS_MAX = 32;

type History = {
  readonly owner: string;
  /**
   * The body up to the end of its last item, in parts, of which the next request of a conversation adds one: bytes, which the
   * garbage collector does not have to visit or move.
   */
  readonly parts: readonly Buffer[];
  /** Their bytes. */
  readonly size: number;
  /** Its length as a text. */
  readonly length: number;
  readonly items: readonly JsonObject[];
  readonly ranges: readonly Range[];
  /** Number of values in the items. */
  readonly values: number;
};

/** A text to parse in the place of the whole body, and the number of values that it lacks. */
export type BodyPart = { readonly text: string; readonly valuesBeside: number };
/** A body as a text, and its bytes in UTF-8. */
type BodyText = { readonly text: string; readonly bytes: Buffer };
export type ReadBody = {
  readonly body: JsonObject;
  /** The ranges of the history's items in the text, if they are known. */
  readonly ranges?: readonly Range[];
};

/**
 * Histories of recent large requests. Clients send their whole history each time: items of an earlier request with the same text
 * up to them are not parsed again, and keep their identity. So an object stands for one text, and results can be cached by it.
 */
export class KnownHistories {
  /** Takes the place of known items. Clients do not know it. */
  readonly #mark = randomUUID();
  #known: readonly History[] = [];
  #timesForgotten = 0;

  /**
   * Returns the body of a request.
   *
   * @param owner requests of other owners share no items with it.
   * @param parse parses the given part, or else the whole body. Its errors are passed on.
   */
  async read(
    owner: string,
    wire: Wire,
    { text, bytes }: BodyText,
    parse: (part?: BodyPart) => Promise<JsonObject>,
  ): Promise<ReadBody> {
    if (text.length < LARGE) return { body: await parse() };
    const began = this.#timesForgotten;
    const before = this.#longestIn(owner, bytes);
    const continued = before && (await this.#continued(before, wire, text, parse));
    const body = continued?.body ?? (await parse());
    const ranges = continued?.ranges ?? itemRangesIn(wire, text);
    const list: unknown = ownMember(body, wire.history);
    const last = ranges.at(-1);
    if (!last || !Array.isArray(list) || !list.every(isJsonObject)) return { body };
    const known = continued ? before : undefined;
    const values = list
      .slice(known?.items.length ?? 0)
      .reduce((sum, item) => sum + 1 + valuesIn(item), known?.values ?? 0);
    if (began === this.#timesForgotten) {
      const length = bytes.length - Buffer.byteLength(text.slice(last.end));
      const parts = partsOf(bytes.subarray(0, length), known);
      this.#keep({ owner, parts, size: length, length: last.end, items: list, ranges, values }, known);
    }
    return { body, ranges };
  }

  /** Drops all histories, because content of one may have been erased. */
  forget(): void {
    this.#timesForgotten += 1;
    this.#known = [];
  }

  #longestIn(owner: string, bytes: Buffer): History | undefined {
    return this.#known
      .filter((one) => one.owner === owner && isBeginning(one, bytes))
      .reduce<History | undefined>((a, b) => (a && a.length > b.length ? a : b), undefined);
  }

  /** Returns `undefined` if the history is not the one that counts, as with two members of its name. */
  async #continued(
    { length, items, ranges, values }: History,
    wire: Wire,
    text: string,
    parse: (part: BodyPart) => Promise<JsonObject>,
  ): Promise<Required<ReadBody> | undefined> {
    const start = ranges[0]?.start ?? 0;
    const mark = JSON.stringify(this.#mark);
    const part = text.slice(0, start) + mark + text.slice(length);
    const body = await parse({ text: part, valuesBeside: values });
    const list = ownMember(body, wire.history);
    if (!Array.isArray(list) || list[0] !== this.#mark) return undefined;
    const moved = length - start - mark.length;
    const added = itemRangesIn(wire, part)
      .slice(1)
      .map((range) => ({ start: range.start + moved, end: range.end + moved }));
    return {
      body: { ...body, [wire.history]: [...items, ...list.slice(1)] },
      ranges: [...ranges, ...added],
    };
  }

  /** Keeps a history in the place of the one that it continues; drops the oldest ones above {@link KEPT_MAX}. */
  #keep(history: History, continued: History | undefined): void {
    const known = [...this.#known.filter((one) => one !== continued), history];
    let kept = known.reduce((sum, { size }) => sum + size, 0);
    const first = known.findIndex(({ size }) => {
      const fits = kept <= KEPT_MAX;
      kept -= size;
      return fits;
    });
    this.#known = first < 0 ? [] : known.slice(first);
  }
}

/** Returns the parts of a history, which keep a copy of what is new, not the whole request. */
const partsOf = (bytes: Buffer, known: History | undefined): readonly Buffer[] =>
  known === undefined || known.parts.length === PARTS_MAX
    ? [bytes]
    : [...known.parts, Buffer.from(bytes.subarray(known.size))];

const isBeginning = ({ parts }: History, bytes: Buffer): boolean => {
  let at = 0;
  return parts.every((part) => {
    const isSame = part.equals(bytes.subarray(at, at + part.length));
    at += part.length;
    return isSame;
  });
};

/** Returns the number of values in an object or array. */
const valuesIn = (value: Json | undefined): number => {
  if (typeof value !== 'object' || value === null) return 0;
  const members = Object.values(value);
  return members.reduce<number>((sum, member) => sum + 1 + valuesIn(member), members.length === 0 ? 1 : 0);
};
