import type { Engine, Entry, Put, Scan, Table } from '../engine.js';
import { asPut } from './recent.js';

/** A scan of several sources as if they were one. Of a key that several have, the first source's put counts. */
export const mergeScan = (scan: Scan, sources: readonly Iterable<Put>[]): Entry[] => {
  const { until, backwards, limit, bytesMax = Number.POSITIVE_INFINITY } = scan;
  const direction = backwards ? -1 : 1;
  const heads = sources.map((source) => new Head(source));
  const entries: Entry[] = [];
  let bytes = 0;
  while (entries.length < limit && bytes < bytesMax) {
    const next = nextOf(heads, direction);
    if (!next || (until && next.key.compare(until) * direction >= 0)) break;
    for (const head of heads) head.leave(next.key);
    if (!next.value) continue;
    entries.push({ key: next.key, value: next.value });
    bytes += next.value.length;
  }
  return entries;
};

/** The scan of an engine, page after page, until it has nothing more. */
export function* putsOf(engine: Engine, table: Table, scan: Scan): Generator<Put> {
  let from = scan.from;
  let seen: Entry | undefined;
  for (;;) {
    // A page begins with the entry that the one before it ended with, which must not take the room of the next one.
    const limit = scan.limit + (seen ? 1 : 0);
    const bytesMax = (scan.bytesMax ?? Number.POSITIVE_INFINITY) + (seen?.value.length ?? 0);
    const page = engine.scan(table, { ...scan, from, limit, bytesMax });
    const last = page.at(-1);
    for (const entry of page) if (!seen?.key.equals(entry.key)) yield asPut(table, entry);
    if (!last || seen?.key.equals(last.key)) return;
    from = last.key;
    seen = last;
  }
}

const nextOf = (heads: readonly Head[], direction: 1 | -1): Put | undefined => {
  let next: Put | undefined;
  for (const head of heads) {
    const put = head.put();
    if (put && (!next || put.key.compare(next.key) * direction < 0)) next = put;
  }
  return next;
};

/** The put that a source has come to. It is fetched when it is asked for: a source may read a page for it. */
class Head {
  readonly #source: Iterator<Put>;
  #result: IteratorResult<Put> | undefined;

  constructor(source: Iterable<Put>) {
    this.#source = source[Symbol.iterator]();
  }

  put(): Put | undefined {
    this.#result ??= this.#source.next();
    return this.#result.done ? undefined : this.#result.value;
  }

  leave(key: Buffer): void {
    if (this.put()?.key.equals(key)) this.#result = undefined;
  }
}
