import type { Engine, Entry, Put, Scan, Table } from '../engine.js';
import { asPut } from './recent.js';

/** Scans several sources as one. For a key in several sources the first source wins. */
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

/** Scans an engine page by page to its end. */
export function* putsOf(engine: Engine, table: Table, scan: Scan): Generator<Put> {
  let from = scan.from;
  let seen: Entry | undefined;
  for (;;) {
    // A page repeats the last entry of the previous one, which must not count towards its limits.
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

/** The current put of a source, fetched on demand: a source may read a page for it. */
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
