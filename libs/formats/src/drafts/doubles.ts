import type { JsonObject } from '@app/kernel';
import { IdTable } from './met/id-table.js';
import { outlineOf } from './outline.js';

/**
 * Records that stand twice in a file, as where two copies of it were joined. Only what says when it was written can be
 * told from what was said twice. Memory: some 30 bytes a record.
 */
export class Doubles {
  readonly #seen = new IdTable();

  /** Whether the very record was met before; from now on it was. */
  isDouble(record: JsonObject): boolean {
    if (record.timestamp === undefined) return false;
    return !this.#seen.add(outlineOf(record));
  }
}

/** What was read under an id. Programs use an id twice too, for something else: only the very same is a double. */
export class Named {
  readonly #seen = new IdTable();

  /** Whether the very same was met under that id before; from now on it was. */
  isDouble(id: string | undefined, value: JsonObject): boolean {
    if (id === undefined) return false;
    return !this.#seen.add(`${id} ${outlineOf(value)}`);
  }
}

export const DOUBLE = 'is a record that was read before';
export const UNKNOWN_KIND = 'is a record of a kind that is not known';
