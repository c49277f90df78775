import { idKey, numberKey, readNumber, streamKey } from '../log/keys.js';
import { StoredEvent, TOMBSTONE_REVISION } from '../log/record.js';
import { encodeHead, type StreamHead } from '../log/stream-head.js';
import type { Engine } from '../storage/engine.js';
import type { LostRange } from '../storage/integrity/lost-ranges.js';
import { Sink } from './sink.js';

const PAGE_COUNT = 1_024;
const PAGE_BYTES = 4 * 2 ** 20;

/**
 * Rebuilds the tables `revisions`, `ids` and `heads` from the events in `log`. Returns the gaps between events, and
 * after the last one up to `expectedEnd`.
 */
export const rebuildIndexes = async (engine: Engine, expectedEnd: number): Promise<readonly LostRange[]> => {
  const sink = new Sink(engine);
  const heads = new Map<string, StreamHead>();
  const gaps: LostRange[] = [];
  let end = 0;
  for (;;) {
    const page = engine.scan('log', { from: numberKey(end), limit: PAGE_COUNT, bytesMax: PAGE_BYTES });
    if (page.length === 0) break;
    for (const { key, value } of page) {
      const event = new StoredEvent(readNumber(key), value);
      if (event.position > end) gaps.push({ from: end, to: event.position });
      end = event.position + value.length;
      await index(event, heads, sink);
    }
  }
  for (const [stream, head] of heads)
    await sink.put({ table: 'heads', key: streamKey(stream), value: encodeHead(head) });
  await sink.flush();
  return expectedEnd > end ? [...gaps, { from: end, to: expectedEnd }] : gaps;
};

const index = async (event: StoredEvent, heads: Map<string, StreamHead>, sink: Sink): Promise<void> => {
  const head = heads.get(event.stream) ?? { number: event.position, last: -1, isTombstoned: false };
  if (event.revision === TOMBSTONE_REVISION) {
    heads.set(event.stream, { ...head, isTombstoned: true });
    return;
  }
  heads.set(event.stream, { ...head, last: Math.max(head.last, event.revision) });
  await sink.put({
    table: 'revisions',
    key: numberKey(head.number, event.revision),
    value: numberKey(event.position),
  });
  await sink.put({
    table: 'ids',
    key: idKey(event.id, head.number),
    value: numberKey(event.revision),
  });
};
