import { rm } from 'node:fs/promises';
import { spawnEventStore } from '@app/embedded-event-store';
import {
  type EventStoreDBClient,
  type PersistentSubscriptionToStreamResolvedEvent,
  START,
  persistentSubscriptionToStreamSettingsFromDefaults as streamSettings,
} from '@eventstore/db-client';
import { connect, describeEmbedded, temporaryFolder } from './support/contract-server.js';
import { collect, counted, countedUp, numberOf } from './support/events.js';
import { inboxOf } from './support/waiting.js';

const GROUP = 'workers';
const consume = (client: EventStoreDBClient) => {
  const subscription = client.subscribeToPersistentSubscriptionToStream('work', GROUP);
  return { subscription, inbox: inboxOf<PersistentSubscriptionToStreamResolvedEvent>(subscription) };
};

describeEmbedded('group after a restart', () => {
  it('remembers acknowledgements, and delivers the remaining and new events', async () => {
    const dataDir = await temporaryFolder();
    const first = await spawnEventStore({ dataDir });
    const client = connect(first.url);
    await client.createPersistentSubscriptionToStream('work', GROUP, streamSettings({ startFrom: START }));
    await client.appendToStream('work', countedUp(5));
    const before = consume(client);
    await before.inbox.count(5);
    await before.subscription.ack(...before.inbox.items.slice(0, 3));
    // A later answer proves that the server has received the acknowledgement.
    await client.getPersistentSubscriptionToStreamInfo('work', GROUP);
    await before.subscription.unsubscribe();
    await client.appendToStream('work', counted(5));
    await client.dispose();
    await first.stop();

    const second = await spawnEventStore({ dataDir });
    const later = connect(second.url);
    const after = consume(later);
    expect((await after.inbox.count(3)).map(numberOf)).toEqual([3, 4, 5]);
    expect(await collect(later.readStream('work'))).toHaveLength(6);
    await later.dispose();
    await second.stop();
    await rm(dataDir, { recursive: true });
  });
});
