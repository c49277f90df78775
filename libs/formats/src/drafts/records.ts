import { isJsonObject, type JsonObject } from '@app/kernel';
import type { Entry } from '../lines/parse-line.js';
import { isShallow } from './content-blocks.js';
import type { Draft } from './draft.js';

/** A record with the line that it stands on, and whether it goes on with the document of the entry before it. */
export type LineRecord = {
  readonly line: number;
  readonly record: JsonObject;
  readonly isContinued: boolean;
};

/** An entry that is an object, or why it is not. */
export type RecordEntry =
  | ({ readonly kind: 'record' } & LineRecord)
  | Extract<Draft, { readonly kind: 'skipped' }>;

/** The entries of a file whose lines, or whose document, must be objects that every later step can bear. */
export async function* recordsIn(
  entries: AsyncIterable<Entry>,
): AsyncGenerator<RecordEntry, void, undefined> {
  for await (const entry of objectsIn(entries)) {
    if (entry.kind === 'record' && !isShallow(entry.record))
      yield { kind: 'skipped', line: entry.line, reason: 'is nested too deep' };
    else yield entry;
  }
}

/** Puts every record through `take`; what is no record, or could not be read, is reported in its place. */
export async function* draftsOf(
  entries: AsyncIterable<Entry>,
  take: (found: LineRecord) => Iterable<Draft>,
  end: () => Iterable<Draft> = () => [],
): AsyncGenerator<Draft, void, undefined> {
  for await (const entry of objectsIn(entries)) {
    if (entry.kind === 'skipped') yield entry;
    else yield* take(entry);
  }
  yield* end();
}

async function* objectsIn(entries: AsyncIterable<Entry>): AsyncGenerator<RecordEntry, void, undefined> {
  for await (const entry of entries) {
    if (entry.kind === 'skipped') yield entry;
    else if (!isJsonObject(entry.value))
      yield { kind: 'skipped', line: entry.line, reason: 'is not a record' };
    else {
      const { line, value: record, isContinued = false } = entry;
      yield { kind: 'record', line, record, isContinued };
    }
  }
}
