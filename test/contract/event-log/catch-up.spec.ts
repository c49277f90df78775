import { LogPosition } from '@app/kernel';
import type { LogItem } from '@app/ports';
import { messageEvent, openedEvent, textMessage } from '@app/testing';
import { collect } from './support/collect.js';
import { LOGS, newStream, record, useLog } from './support/logs.js';

const session = (count: number) => [
  openedEvent(),
  ...Array.from({ length: count - 1 }, (_, n) => messageEvent(textMessage(`m${n}`, `${n}`))),
];
const never = () => new AbortController().signal;
/** Returns everything up to the first item of the kind, inclusive. */
const upTo = async (kind: LogItem['kind'], items: AsyncIterable<LogItem>): Promise<LogItem[]> => {
  const all: LogItem[] = [];
  for await (const item of items) {
    all.push(item);
    if (item.kind === kind) break;
  }
  return all;
};
const placesOf = (items: readonly LogItem[]) =>
  items.flatMap((item) =>
    item.kind === 'event' ? [`${item.recorded.stream}/${item.recorded.revision}`] : [],
  );

describe.each(LOGS)('catch-up subscription to %s', (_, open) => {
  const current = useLog(open);

  it('yields everything after a position in log order, then caught-up', async () => {
    const from = await current().subscriptions.head();
    const [one, two] = [newStream(), newStream()];
    await record(current(), one, session(3));
    await record(current(), two, session(2));
    const items = await upTo('caught-up', current().subscriptions.catchUp(from, never()));
    expect(placesOf(items)).toEqual([`${one}/0`, `${one}/1`, `${one}/2`, `${two}/0`, `${two}/1`]);
  });

  it('begins after the given position', async () => {
    const stream = newStream();
    const from = await current().subscriptions.head();
    await record(current(), stream, session(3));
    const [, second] = await collect(current().subscriptions.catchUp(from, never()), 2);
    const at = second?.kind === 'event' ? second.recorded.position : LogPosition(0n);
    const rest = await upTo('caught-up', current().subscriptions.catchUp(at, never()));
    expect(placesOf(rest)).toEqual([`${stream}/2`]);
  });

  it('continues live without losing or duplicating events at the transition', async () => {
    const from = await current().subscriptions.head();
    const streams = Array.from({ length: 20 }, newStream);
    const writing = Promise.all(streams.map((stream) => record(current(), stream, session(20))));
    const events: LogItem[] = [];
    for await (const item of current().subscriptions.catchUp(from, never())) {
      if (item.kind === 'event') events.push(item);
      if (events.length === 400) break;
    }
    await writing;
    expect(new Set(placesOf(events)).size).toBe(400);
    const positions = events.map((item) => (item.kind === 'event' ? item.recorded.position : 0n));
    expect(positions).toEqual([...positions].sort((a, b) => (a < b ? -1 : 1)));
  });

  it('never yields a checkpoint before an event at or before it', async () => {
    const from = await current().subscriptions.head();
    const stream = newStream();
    await record(current(), stream, session(700));
    const seen: bigint[] = [];
    for await (const item of current().subscriptions.catchUp(from, never())) {
      if (item.kind === 'caught-up' || item.kind === 'unreadable') break;
      const position = item.kind === 'event' ? item.recorded.position : item.position;
      expect(position >= (seen.at(-1) ?? 0n)).toBe(true);
      seen.push(position);
      await new Promise((resolve) => setImmediate(resolve)); // Simulates a slow reader.
    }
    expect(seen.length).toBeGreaterThanOrEqual(700);
  });

  it('ends when the signal aborts: before it begins, during history, and while it waits', async () => {
    await record(current(), newStream(), session(5));
    expect(await collect(current().subscriptions.catchUp('start', AbortSignal.abort()))).toEqual([]);
    const middle = new AbortController();
    for await (const _ of current().subscriptions.catchUp('start', middle.signal)) middle.abort();
    const waiting = new AbortController();
    const from = await current().subscriptions.head();
    for await (const { kind } of current().subscriptions.catchUp(from, waiting.signal)) {
      if (kind === 'caught-up') setImmediate(() => waiting.abort());
    }
  });
});

describe.each(LOGS)('head of %s', (_, open) => {
  const current = useLog(open);

  it('is at or after everything recorded before', async () => {
    const stream = newStream();
    const from = await current().subscriptions.head();
    await record(current(), stream, session(3));
    const head = await current().subscriptions.head();
    const items = await upTo('caught-up', current().subscriptions.catchUp(from, never()));
    const positions = items.flatMap((item) => (item.kind === 'event' ? [item.recorded.position] : []));
    expect(positions).toHaveLength(3);
    for (const position of positions) expect(head !== 'start' && position <= head).toBe(true);
    const after = await upTo('caught-up', current().subscriptions.catchUp(head, never()));
    expect(placesOf(after)).toEqual([]);
  });
});
