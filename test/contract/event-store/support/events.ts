import { type JSONEventData, type JSONEventType, jsonEvent } from '@eventstore/db-client';

export type Counted = JSONEventType<'Counted', { n: number }>;

export const counted = (n: number, id?: string): JSONEventData<Counted> =>
  jsonEvent<Counted>({ type: 'Counted', data: { n }, ...(id ? { id } : {}) });

/** `count` events, numbered from `first`. */
export const countedUp = (count: number, first = 0): JSONEventData<Counted>[] =>
  Array.from({ length: count }, (_, index) => counted(first + index));

/** Everything that an iterable has to give. */
export const collect = async <Item>(items: AsyncIterable<Item>): Promise<Item[]> => {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
};

/** The number of a counted event, whatever it came wrapped in. */
export const numberOf = ({ event }: { event?: { data: unknown } | undefined }): number => {
  const data = event?.data;
  if (typeof data === 'object' && data !== null && 'n' in data && typeof data.n === 'number') return data.n;
  throw new Error('not a counted event');
};
