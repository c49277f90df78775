import type { JsonObject } from '@app/kernel';
import { digestOf } from './ids.js';

/**
 * Records that stand twice in a file, as where two copies of it were joined. Only what says when it was written can be
 * told from what was said twice. Memory: about 100 bytes a record.
 */
export class Doubles {
  readonly #seen = new Set<string>();

  /** Whether the very record was met before; from now on it was. */
  isDouble(record: JsonObject): boolean {
    if (record.timestamp === undefined) return false;
    const { size } = this.#seen;
    return this.#seen.add(digestOf(JSON.stringify(record), 24)).size === size;
  }
}

export const DOUBLE = 'is a record that was read before';
export const UNKNOWN_KIND = 'is a record of a kind that is not known';
