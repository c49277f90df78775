import type { Steps } from '../../steps.js';
import type { Entry, Put, Scan, Table } from '../engine.js';
import { keyTextAt, placesIn, putAt, tableAt } from './frame.js';

/** Below this share of new keys, each is inserted instead of sorting all. */
const INSERT_SHARE = 16;
/** Sorts before all keys, which have at least one byte. */
const NO_KEY = '';
/** Packs frame index and offset into one number: index times this plus offset. */
const FRAME_FACTOR = 2 ** 32;

/**
 * The in-memory index of changes that are in the journal but not yet in the store.
 *
 * The changes stay in their frames, and become objects when read: the garbage collector would visit each of tens of
 * thousands. Keys are latin1 strings, which sort like their bytes.
 */
export class Recent {
  readonly #tables = new Map<Table, RecentTable>();
  readonly #frames: Buffer[] = [];

  /** `frame`: as in the journal. Later frames take precedence. Its heads, at most one per append, become visible at once. */
  *add(frame: Buffer): Steps<void> {
    const base = this.#frames.length * FRAME_FACTOR;
    this.#frames.push(frame);
    for (const place of placesIn(frame)) {
      const table = tableAt(frame, place);
      this.#table(table).set(keyTextAt(frame, place), base + place);
      if (table !== 'heads') yield;
    }
  }

  /** Returns a put without a value for a removed key; `undefined` for an unknown one. */
  get(table: Table, key: string): Put | undefined {
    const place = this.#tables.get(table)?.get(key);
    return place === undefined ? undefined : this.#putAt(place);
  }

  has(table: Table): boolean {
    return this.#tables.has(table);
  }

  /** Yields from `scan.from` on, inclusive, in either direction, including removals. */
  *range(table: Table, scan: Scan): Generator<Put> {
    for (const place of this.#tables.get(table)?.range(scan) ?? []) yield this.#putAt(place);
  }

  /** Yields the last put of every key by table and key, the cheapest order to write. */
  *puts(): Generator<Put> {
    for (const table of this.#tables.values()) for (const place of table.ordered()) yield this.#putAt(place);
  }

  #putAt(place: number): Put {
    const frame = this.#frames[Math.floor(place / FRAME_FACTOR)];
    if (!frame) throw new RangeError(`no frame contains the place ${place}`);
    return putAt(frame, place % FRAME_FACTOR);
  }

  #table(name: Table): RecentTable {
    const table = this.#tables.get(name) ?? new RecentTable();
    this.#tables.set(name, table);
    return table;
  }
}

/** Locations of the latest put of each key of one table. */
class RecentTable {
  readonly #places = new Map<string, number>();
  #sorted: string[] = [];
  #unsorted: string[] = [];

  set(key: string, place: number): void {
    const count = this.#places.size;
    this.#places.set(key, place);
    if (this.#places.size > count) this.#unsorted.push(key);
  }

  get(key: string): number | undefined {
    return this.#places.get(key);
  }

  *range({ from, backwards }: Scan): Generator<number> {
    const keys = this.#inOrder();
    const key = from.toString('latin1');
    const first = firstFrom(keys, key);
    const step = backwards ? -1 : 1;
    for (let at = backwards && keys[first] !== key ? first - 1 : first; ; at += step) {
      const place = this.#places.get(keys[at] ?? NO_KEY);
      if (place === undefined) return;
      yield place;
    }
  }

  ordered(): number[] {
    return this.#inOrder().map((key) => this.#places.get(key) ?? Number.NaN);
  }

  /** Sorts lazily: most tables are never scanned, or receive their keys almost in order. */
  #inOrder(): readonly string[] {
    if (this.#unsorted.length * INSERT_SHARE > this.#sorted.length) {
      this.#sorted = [...this.#sorted, ...this.#unsorted].sort();
    } else {
      for (const key of this.#unsorted) {
        const last = this.#sorted.at(-1);
        if (last === undefined || last < key) this.#sorted.push(key);
        else this.#sorted.splice(firstFrom(this.#sorted, key), 0, key);
      }
    }
    this.#unsorted = [];
    return this.#sorted;
  }
}

export const asPut = (table: Table, { key, value }: Entry): Put => ({ table, key, value });

/** Returns the index of the first key not below `key`. */
const firstFrom = (keys: readonly string[], key: string): number => {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((keys[middle] ?? '') < key) low = middle + 1;
    else high = middle;
  }
  return low;
};
