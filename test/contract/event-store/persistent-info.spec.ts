import { once } from 'node:events';
import {
  persistentSubscriptionToAllSettingsFromDefaults as allSettings,
  END,
  PersistentSubscriptionDoesNotExistError,
  START,
  persistentSubscriptionToStreamSettingsFromDefaults as streamSettings,
} from '@eventstore/db-client';
import { useContractServer } from './support/contract-server.js';
import { countedUp } from './support/events.js';
import { consumeAll, consumeStream, eventually } from './support/groups.js';

const server = useContractServer();
const GROUP = 'workers';
const infoOf = (stream: string) => server.client.getPersistentSubscriptionToStreamInfo(stream, GROUP);

describe('info of a group', () => {
  it.each<[string, Parameters<typeof streamSettings>[0]]>([
    ['from the start', { startFrom: START }],
    ['from the end', { startFrom: END }],
    ['from a revision', { startFrom: 7n, maxSubscriberCount: 3, resolveLinkTos: true }],
    ['with another strategy', { checkPointAfter: 99, checkPointLowerBound: 1, checkPointUpperBound: 2 }],
    ['with other buffer sizes', { liveBufferSize: 11, readBatchSize: 12, historyBufferSize: 13 }],
  ])('contains the settings that it was created with: %s', async (_, changes) => {
    const stream = server.streamName();
    const settings = streamSettings(changes);
    await server.client.createPersistentSubscriptionToStream(stream, GROUP, settings);
    const info = await infoOf(stream);
    expect(info.settings).toEqual(settings);
    expect(info).toMatchObject({ eventSource: stream, groupName: GROUP, connections: [] });
    expect(info.stats.lastKnownEventRevision).toBeUndefined();
    expect(info.stats.lastCheckpointedEventRevision).toBeUndefined();
  });

  it.each([
    ['the start', { startFrom: START } as const],
    ['the end', { startFrom: END } as const],
    ['a position', { startFrom: { commit: 1n, prepare: 1n } }],
  ])('contains the settings that it was created with: of $all, from %s', async (_, changes) => {
    const group = server.streamName('group');
    const settings = allSettings(changes);
    await server.client.createPersistentSubscriptionToAll(group, settings);
    const info = await server.client.getPersistentSubscriptionToAllInfo(group);
    expect(info.settings).toEqual(settings);
    expect(typeof info.stats.lastKnownEventPosition?.commit).toBe('bigint');
  });

  it('contains delivery statistics in total and per connection', async () => {
    const stream = server.streamName();
    const settings = streamSettings({ startFrom: START, extraStatistics: true });
    await server.client.createPersistentSubscriptionToStream(stream, GROUP, settings);
    await server.client.appendToStream(stream, countedUp(12));
    const { subscription, inbox } = consumeStream(server.client, stream, GROUP, { bufferSize: 5 });
    await subscription.ack(...(await inbox.count(5)));
    await inbox.count(10);
    const info = await infoOf(stream);
    expect(info.stats).toMatchObject({
      totalItems: 10n,
      countSinceLastMeasurement: 10n,
      totalInFlightMessages: 5,
      outstandingMessagesCount: 5,
      readBufferCount: 2,
      retryBufferCount: 0,
      parkedMessageCount: 0n,
      lastKnownEventRevision: 11n,
    });
    const [connection] = info.connections;
    expect(connection).toMatchObject({
      totalItems: 10n,
      countSinceLastMeasurement: 10n,
      inFlightMessages: 5,
      availableSlots: 0,
      connectionName: server.client.connectionName,
    });
    expect([...(connection?.extraStatistics?.keys() ?? [])]).toEqual([
      ...['mean', 'median', 'fastest', 'quintile 1', 'quintile 2', 'quintile 3', 'quintile 4', 'quintile 5'],
      ...['90%', '95%', '99%', '99.5%', '99.9%', 'highest'],
    ]);
    const again = await infoOf(stream);
    expect(again.stats).toMatchObject({
      totalItems: 10n,
      countSinceLastMeasurement: 0n,
      averagePerSecond: 0,
    });
    await subscription.unsubscribe();
    expect(
      (
        await eventually(
          () => infoOf(stream),
          (last) => last.connections.length === 0,
        )
      ).stats,
    ).toMatchObject({ totalInFlightMessages: 0, retryBufferCount: 5 });
  });

  it('reports no user for unauthenticated connections', async () => {
    const stream = server.streamName();
    await server.client.createPersistentSubscriptionToStream(stream, GROUP, streamSettings());
    const pretending = server.client.subscribeToPersistentSubscriptionToStream(stream, GROUP, {
      credentials: { username: 'admin', password: 'guessed' },
    });
    await once(pretending, 'confirmation');
    const { connections } = await infoOf(stream);
    // `anonymous` here, `system` in EventStoreDB.
    expect(connections.map(({ username }) => username)).toEqual([
      expect.stringMatching(/^(anonymous|system)$/),
    ]);
    await pretending.unsubscribe();
  });

  it('contains no latencies unless requested', async () => {
    const stream = server.streamName();
    const settings = streamSettings({ startFrom: START });
    await server.client.createPersistentSubscriptionToStream(stream, GROUP, settings);
    await server.client.appendToStream(stream, countedUp(1));
    const { subscription, inbox } = consumeStream(server.client, stream, GROUP);
    await subscription.ack(...(await inbox.count(1)));
    const { connections } = await infoOf(stream);
    expect(connections.map(({ extraStatistics }) => extraStatistics)).toEqual([undefined]);
    await subscription.unsubscribe();
  });
});

describe('list of groups', () => {
  it('contains those of a stream, of $all, or all', async () => {
    const stream = server.streamName();
    const names = ['one', 'two', 'three'];
    for (const name of names)
      await server.client.createPersistentSubscriptionToStream(stream, name, streamSettings());
    const ofAll = server.streamName('group');
    await server.client.createPersistentSubscriptionToAll(ofAll, allSettings());
    const subscription = server.client.subscribeToPersistentSubscriptionToStream(stream, 'two');
    await once(subscription, 'confirmation');

    const ofStream = await server.client.listPersistentSubscriptionsToStream(stream);
    expect(ofStream.map(({ groupName }) => groupName)).toEqual(names);
    expect(ofStream.map(({ connections }) => connections.length)).toEqual([0, 1, 0]);
    expect(ofStream[0]?.settings).toEqual(streamSettings());
    const toAll = await server.client.listPersistentSubscriptionsToAll();
    expect(toAll.every(({ eventSource }) => eventSource === '$all')).toBe(true);
    expect(toAll.map(({ groupName }) => groupName)).toContain(ofAll);
    const all = await server.client.listAllPersistentSubscriptions();
    expect(all.map(({ groupName }) => groupName)).toEqual(expect.arrayContaining([...names, ofAll]));
    await subscription.unsubscribe();
  });

  it('fails for a stream without groups, naming the stream', async () => {
    const stream = server.streamName();
    const missing = server.client.listPersistentSubscriptionsToStream(stream);
    await expect(missing).rejects.toBeInstanceOf(PersistentSubscriptionDoesNotExistError);
    await expect(missing).rejects.toMatchObject({ streamName: stream, groupName: '' });
  });
});

it('has its groups and checkpoints in the log, too', async () => {
  const group = server.streamName('group');
  const settings = allSettings({ startFrom: END, checkPointUpperBound: 1 });
  await server.client.createPersistentSubscriptionToAll(group, settings);
  const { subscription, inbox } = consumeAll(server.client, group);
  // The event about its own creation follows its start.
  const [first] = await inbox.count(1);
  expect(first?.event?.streamId).toMatch(/persistentSubscriptionConfig$/);
  subscription.on('data', (event) => void subscription.ack(event));
  if (first) await subscription.ack(first);
  const checkpoints = server.client.subscribeToStream(`$persistentsubscription-$all::${group}-checkpoint`);
  const [checkpoint] = await new Promise<{ event?: { type: string; data: unknown } }[]>((resolve) => {
    checkpoints.on('data', (event) => resolve([event]));
  });
  expect(checkpoint?.event).toMatchObject({
    // Without `$` before EventStoreDB 24.
    type: expect.stringMatching(/^\$?SubscriptionCheckpoint$/),
    data: expect.stringMatching(/^C:\d+\/P:\d+$/),
  });
  await checkpoints.unsubscribe();
  await subscription.unsubscribe();
  await server.client.deletePersistentSubscriptionToAll(group);
});
