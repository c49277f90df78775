import { isJsonObject, type JsonObject } from '@app/kernel';
import type { Entry } from '../lines/parse-line.js';
import { isShallow } from './content-blocks.js';
import type { Draft } from './draft.js';

/** An entry that is an object, or why it is not. */
export type RecordEntry =
  | { readonly kind: 'record'; readonly line: number; readonly record: JsonObject }
  | Extract<Draft, { readonly kind: 'skipped' }>;

/** The entries of a file whose lines, or whose document, must be objects that every later step can bear. */
export async function* recordsIn(
  entries: AsyncIterable<Entry>,
): AsyncGenerator<RecordEntry, void, undefined> {
  for await (const entry of entries) {
    if (entry.kind === 'skipped') yield entry;
    else if (!isJsonObject(entry.value))
      yield { kind: 'skipped', line: entry.line, reason: 'is not a record' };
    else if (!isShallow(entry.value))
      yield { kind: 'skipped', line: entry.line, reason: 'is nested too deep' };
    else yield { kind: 'record', line: entry.line, record: entry.value };
  }
}
