import { isJsonObject, type JsonObject } from '@app/kernel';
import type { Entry } from '../lines/parse-line.js';
import type { Draft } from './draft.js';

/** A record with the line that it stands on, and whether it goes on with the document of the entry before it. */
export type LineRecord = {
  readonly line: number;
  readonly record: JsonObject;
  readonly isContinued: boolean;
};

/** Puts every record through `take`; what is no record, or could not be read, is reported in its place. */
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
