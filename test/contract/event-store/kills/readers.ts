import {
  type EventStoreDBClient,
  eventTypeFilter,
  PARK,
  persistentSubscriptionToAllSettingsFromDefaults,
  START,
} from '@eventstore/db-client';

const COUNTED = eventTypeFilter({ prefixes: ['Counted'] });
const GROUP = 'killed';

/** Follows $all until the server is gone, and records the events in order. */
export const followAll = (
  client: EventStoreDBClient,
): { readonly seen: readonly string[]; readonly over: Promise<void> } => {
  const seen: string[] = [];
  const subscription = client.subscribeToAll({ fromPosition: START, filter: COUNTED });
  subscription.on('data', ({ event }) => seen.push(event?.id ?? ''));
  const over = new Promise<void>((resolve) => {
    subscription.on('error', () => resolve());
    subscription.on('end', () => resolve());
  });
  return { seen, over };
};

/** Reads $all repeatedly until the server is gone; returns the last complete read. */
export const readAllOn = async (client: EventStoreDBClient): Promise<readonly string[]> => {
  let last: readonly string[] = [];
  try {
    for (;;) last = await allIds(client);
  } catch {
    return last;
  }
};

export const allIds = async (client: EventStoreDBClient): Promise<readonly string[]> => {
  const ids: string[] = [];
  for await (const { event } of client.readAll()) if (event?.type === 'Counted') ids.push(event.id);
  return ids;
};

export const createGroup = (client: EventStoreDBClient): Promise<void> =>
  client.createPersistentSubscriptionToAll(
    GROUP,
    persistentSubscriptionToAllSettingsFromDefaults({
      startFrom: START,
      checkPointLowerBound: 1,
      checkPointUpperBound: 20,
    }),
    { filter: COUNTED },
  );

/** Consumes the group until the server is gone; calls `delivered` for every event before acknowledging it. */
export const workOn = async (client: EventStoreDBClient, delivered: (id: string) => void): Promise<void> => {
  const consumer = client.subscribeToPersistentSubscriptionToAll(GROUP);
  try {
    for await (const resolved of consumer) {
      if (!resolved.event) await consumer.nack(PARK, 'nothing came', resolved);
      else delivered(resolved.event.id);
      await consumer.ack(resolved);
    }
  } catch {
    // The kill leaves some events unacknowledged, which are redelivered.
  }
};
