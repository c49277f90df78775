import type { Json } from '@app/kernel';
import type { Entry } from '../lines/parse-line.js';
import { LINE_BYTES_MAX } from '../lines/read-lines.js';
import { ElementScanner } from './element-scanner.js';
import type { Found } from './found.js';

/** Maximum bytes of elements in one batch. */
const PART_BYTES = 1024 * 1024;

/**
 * Yields a document in parts: each part is a document with the next elements of its lists and the known members
 * beside them, so that a large list is never in memory as a whole. Continuing parts are marked. Broken elements are
 * reported by line, and the rest is read.
 * Memory: {@link PART_BYTES}, the members that are not lists, and one element.
 */
export async function* documentEntries(
  bytes: AsyncIterable<Uint8Array>,
  { partBytes = PART_BYTES, elementBytesMax = LINE_BYTES_MAX } = {},
): AsyncGenerator<Entry, void, undefined> {
  const scanner = new ElementScanner(elementBytesMax);
  const parts = new Parts(partBytes);
  for await (const chunk of bytes) {
    for (const found of scanner.push(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength))) {
      yield* parts.take(found);
    }
  }
  for (const found of scanner.end()) yield* parts.take(found);
}

/** Members that open a session: they must be known before its messages. */
const LATE = new Set(['system', 'instructions', 'model']);

/** Reassembles parts from found values. */
class Parts {
  #isList = false;
  #isBegun = false;
  #isContinued = false;
  #line = 1;
  /** Members that are not lists, and pending lists. */
  #members = new Map<string, Json>();
  #lists = new Map<string, Json[]>();
  #elements: Json[] = [];
  #size = 0;

  constructor(private readonly partBytes: number) {}

  *take(found: Found): Generator<Entry> {
    switch (found.kind) {
      case 'begin':
        this.#begin(found);
        return;
      case 'fault':
        yield { kind: 'skipped', line: found.line, reason: found.reason };
        return;
      case 'member':
        this.#members.set(found.name, found.value);
        if (this.#isContinued && LATE.has(found.name)) {
          yield {
            kind: 'skipped',
            line: this.#line,
            reason: `names its ${found.name} behind its messages, too late`,
          };
        }
        return;
      case 'list':
        this.#elements = [];
        this.#lists.set(found.name, this.#elements);
        return;
      case 'list-end':
        return;
      case 'element':
        if (this.#size === 0) this.#line = found.line;
        this.#elements.push(found.value);
        this.#size += found.size;
        if (this.#size >= this.partBytes) yield* this.#flush();
        return;
      case 'end':
        if (this.#isBegun && (this.#size > 0 || !this.#isContinued)) yield* this.#flush();
        this.#isBegun = false;
    }
  }

  #begin({ isList, line }: { readonly isList: boolean; readonly line: number }): void {
    this.#isList = isList;
    this.#isBegun = true;
    this.#isContinued = false;
    this.#line = line;
    this.#members = new Map();
    this.#lists = new Map();
    this.#elements = [];
    this.#size = 0;
  }

  *#flush(): Generator<Entry> {
    const value: Json = this.#isList
      ? this.#elements
      : Object.fromEntries<Json>([...this.#members, ...this.#lists]);
    const last = [...this.#lists].find(([, elements]) => elements === this.#elements)?.[0];
    yield {
      kind: 'record',
      line: this.#line,
      value,
      ...(this.#isContinued && { isContinued: true }),
    };
    this.#isContinued = true;
    this.#elements = [];
    this.#lists = last === undefined ? new Map() : new Map([[last, this.#elements]]);
    this.#size = 0;
  }
}
