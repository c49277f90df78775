import { isJsonObject, type JsonObject } from '@app/kernel';
import type { Entry } from '../lines/parse-line.js';
import type { Draft } from './draft.js';

/** A record with its line number, and whether it continues the document of the previous entry. */
export type LineRecord = {
  readonly line: number;
  readonly record: JsonObject;
  readonly isContinued: boolean;
};

/** Converts every record with `take`; unreadable entries are reported in place. */
export async function* draftsOf(
  entries: AsyncIterable<Entry>,
  take: (found: LineRecord) => Iterable<Draft>,
  end: () => Iterable<Draft> = () => [],
): AsyncGenerator<Draft, void, undefined> {
  for await (const entry of entries) {
    if (entry.kind === 'skipped') yield entry;
    else if (isJsonObject(entry.value)) {
      const { line, value: record, isContinued = false } = entry;
      yield* take({ line, record, isContinued });
    } else yield { kind: 'skipped', line: entry.line, reason: 'is not a record' };
  }
  yield* end();
}
