import {
  BACKWARDS,
  END,
  type EventStoreDBClient,
  type JSONEventData,
  type JSONEventType,
  jsonEvent,
  type RecordedEvent,
} from '@eventstore/db-client';

export type Counted = JSONEventType<'Counted', { n: number }>;

export const counted = (n: number, id?: string): JSONEventData<Counted> =>
  jsonEvent<Counted>({ type: 'Counted', data: { n }, ...(id ? { id } : {}) });

/** Returns `count` events, numbered from `first`. */
export const countedUp = (count: number, first = 0): JSONEventData<Counted>[] =>
  Array.from({ length: count }, (_, index) => counted(first + index));

/** Returns all items of an iterable. */
export const collect = async <Item>(items: AsyncIterable<Item>): Promise<Item[]> => {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
};

/**
 * Returns the newest `count` events of the log, newest first, without those of system streams: EventStoreDB appends links,
 * statistics and checkpoints at its own times. Metadata of the tests' streams (`$$name`) counts.
 */
export const newestEvents = async (client: EventStoreDBClient, count: number): Promise<RecordedEvent[]> => {
  const options = { direction: BACKWARDS, fromPosition: END, maxCount: 2_000 } as const;
  const read = await collect(client.readAll(options));
  return read
    .flatMap(({ event }) => (event && !SYSTEM_STREAM.test(event.streamId) ? [event] : []))
    .slice(0, count);
};
const SYSTEM_STREAM = /^\$(?!\$[^$])/;

/** Returns the number of a counted event. */
export const numberOf = ({ event }: { event?: { data: unknown } | undefined }): number => {
  const data = event?.data;
  if (typeof data === 'object' && data !== null && 'n' in data && typeof data.n === 'number') return data.n;
  throw new Error('not a counted event');
};
