import type { Entry, Put, Scan, Table } from '../engine.js';

/** What one table has received of late. */
class RecentTable {
  readonly #puts = new Map<string, Put>();
  #sorted: string[] = [];
  #unsorted: string[] = [];

  set(key: string, put: Put): void {
    if (!this.#puts.has(key)) this.#unsorted.push(key);
    this.#puts.set(key, put);
  }

  get(key: string): Put | undefined {
    return this.#puts.get(key);
  }

  /** From `from` on, inclusive, in either direction; removals are in it. */
  *range({ from, backwards }: Scan): Generator<Put> {
    const keys = this.#inOrder();
    const key = from.toString('latin1');
    const step = backwards ? -1 : 1;
    const first = firstFrom(keys, key);
    for (let at = backwards && keys[first] !== key ? first - 1 : first; ; at += step) {
      const put = this.#puts.get(keys[at] ?? NO_KEY);
      if (!put) return;
      yield put;
    }
  }

  *ordered(): Generator<Put> {
    for (const key of this.#inOrder()) {
      const put = this.#puts.get(key);
      if (put) yield put;
    }
  }

  /** Most tables are never scanned, or receive their keys in order: what is left to sort is little. */
  #inOrder(): readonly string[] {
    if (this.#unsorted.length * INSERT_SHARE > this.#sorted.length) {
      this.#sorted = [...this.#sorted, ...this.#unsorted].sort(byBytes);
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

/** Where fewer keys than this share of the sorted ones are new, each is put into its place. */
const INSERT_SHARE = 16;
/** Every key has at least one byte. */
const NO_KEY = '';

/**
 * The changes that are in the journal and not in the store behind it yet, in memory, where reads find them.
 * Keys are strings with one character a byte, so that their order is the order of bytes.
 */
export class Recent {
  readonly #tables = new Map<Table, RecentTable>();
  #bytes = 0;

  /** Of all keys and values that were added. */
  get bytes(): number {
    return this.#bytes;
  }

  add(puts: readonly Put[]): void {
    for (const put of puts) {
      this.#bytes += put.key.length + (put.value?.length ?? 0);
      this.#table(put.table).set(put.key.toString('latin1'), put);
    }
  }

  /** A put without a value: it has been removed. `undefined`: nothing is known of it here. */
  get(table: Table, key: string): Put | undefined {
    return this.#tables.get(table)?.get(key);
  }

  has(table: Table): boolean {
    return this.#tables.has(table);
  }

  range(table: Table, scan: Scan): Iterable<Put> {
    return this.#tables.get(table)?.range(scan) ?? [];
  }

  /** The last put of every key, table by table and in the order of keys: the order that is cheapest to write. */
  *puts(): Generator<Put> {
    for (const table of this.#tables.values()) yield* table.ordered();
  }

  #table(name: Table): RecentTable {
    const table = this.#tables.get(name) ?? new RecentTable();
    this.#tables.set(name, table);
    return table;
  }
}

export const asPut = (table: Table, { key, value }: Entry): Put => ({ table, key, value });

const byBytes = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** The index of the first key that is not below `key`. */
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
