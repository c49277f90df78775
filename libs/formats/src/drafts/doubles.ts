import type { JsonObject } from '@app/kernel';
import { IdTable } from './id-index/id-table.js';
import { outlineOf } from './outline.js';

/**
 * Detects duplicate records, as in files joined from two copies. Only records with a time count, because repeated
 * text may be intended. Memory: some 30 bytes per record.
 */
export class Doubles {
  readonly #seen = new IdTable();

  /** Whether the very record was met before; from now on it was. */
  isDouble(record: JsonObject): boolean {
    if (record.timestamp === undefined) return false;
    return !this.#seen.add(outlineOf(record));
  }
}

/** Detects duplicates by id and content, because programs may use one id for two records. */
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
