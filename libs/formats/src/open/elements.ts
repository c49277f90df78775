import { isJsonObject, type Json } from '@app/kernel';
import { isChatMessage } from '../chat/is-chat-message.js';
import type { Format } from '../formats.js';
import type { Entry } from '../lines/parse-line.js';
import { Recognizer } from './recognizer.js';

/** Elements that one document may begin with before one must be recognized. */
const FOREIGN_MAX = 1_000;

/** Records of a line format, found as elements of one document. */
export class Elements {
  readonly #recognizers = new Map<string, Recognizer>();
  #count = 0;

  /** Weighs the elements of a part of the document. */
  weigh(value: Json): void {
    for (const [name, list] of listsIn(value)) {
      const recognizer = this.#recognizers.get(name) ?? new Recognizer();
      this.#recognizers.set(name, recognizer);
      for (const element of list) {
        if (recognizer.isCertain || this.#count >= FOREIGN_MAX) break;
        this.#count += 1;
        // A rejected list of chat messages: a single message is no evidence.
        if (!isChatMessage(element)) recognizer.weigh(element);
      }
    }
  }

  /** The format of the first list whose elements are certainly of one, and the elements of it in `entries`. */
  get found():
    | { readonly format: Format; readonly of: (entries: AsyncIterable<Entry>) => AsyncGenerator<Entry> }
    | undefined {
    for (const [name, { format, isCertain }] of this.#recognizers)
      if (format && isCertain) return { format, of: (entries) => elementsOf(name, entries) };
    return undefined;
  }

  get isSpent(): boolean {
    return this.#count >= FOREIGN_MAX;
  }
}

/** The key of a list outside of an object. */
const ALONE = '';

const listsIn = (value: Json): readonly (readonly [string, readonly Json[]])[] => {
  if (Array.isArray(value)) return [[ALONE, value]];
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const list: readonly Json[] | undefined = Array.isArray(member) ? member : undefined;
    return list ? [[name, list] as const] : [];
  });
};

async function* elementsOf(name: string, entries: AsyncIterable<Entry>): AsyncGenerator<Entry> {
  for await (const entry of entries) {
    if (entry.kind === 'skipped') {
      yield entry;
      continue;
    }
    for (const [of, list] of listsIn(entry.value))
      if (of === name) for (const value of list) yield { kind: 'record', line: entry.line, value };
  }
}
