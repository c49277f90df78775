import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { spawnEventStore } from '@app/embedded-event-store';
import {
  END,
  START,
  persistentSubscriptionToStreamSettingsFromDefaults as streamSettings,
} from '@eventstore/db-client';
import { connect, describeEmbedded, temporaryFolder, useContractServer } from './support/contract-server.js';
import { countedUp, numberOf } from './support/events.js';
import { consumeStream, eventually } from './support/groups.js';

const server = useContractServer();
const GROUP = 'workers';
const upTo = (count: number) => Array.from({ length: count }, (_, n) => n);
const infoOf = (stream: string) => server.client.getPersistentSubscriptionToStreamInfo(stream, GROUP);
const created = async (settings: Parameters<typeof streamSettings>[0] = {}): Promise<string> => {
  const stream = server.streamName();
  const whole = streamSettings({ startFrom: START, ...settings });
  await server.client.createPersistentSubscriptionToStream(stream, GROUP, whole);
  return stream;
};

describe('memory of a group', () => {
  it('is bounded by its buffer, and all events are delivered', async () => {
    const stream = await created({ historyBufferSize: 30, readBatchSize: 10 });
    await server.client.appendToStream(stream, countedUp(300));
    const { subscription, inbox } = consumeStream(server.client, stream, GROUP, { bufferSize: 5 });
    await inbox.count(5);
    const { stats, status } = await infoOf(stream);
    expect(status).toBe('Behind');
    expect(stats.readBufferCount).toBeGreaterThan(0);
    expect(stats.readBufferCount).toBeLessThanOrEqual(30);
    subscription.on('data', (event) => void subscription.ack(event));
    await subscription.ack(...inbox.items.slice());
    expect((await inbox.count(300)).map(numberOf)).toEqual(upTo(300));
    await eventually(
      () => infoOf(stream),
      (info) => info.status === 'Live' && info.stats.readBufferCount === 0,
    );
    await subscription.unsubscribe();
  });

  // EventStoreDB reads ahead for later consumers.
  describeEmbedded('without consumers', () => {
    it('is empty', async () => {
      const stream = await created();
      await server.client.appendToStream(stream, countedUp(30));
      expect((await infoOf(stream)).stats).toMatchObject({ readBufferCount: 0, lastKnownEventRevision: 29n });
    });
  });
});

describe('checkpoint of a group', () => {
  it('is written at once after the maximum count', async () => {
    const stream = await created({
      checkPointUpperBound: 4,
      checkPointLowerBound: 1_000,
      checkPointAfter: 3_600_000,
    });
    await server.client.appendToStream(stream, countedUp(10));
    const { subscription, inbox } = consumeStream(server.client, stream, GROUP);
    await subscription.ack(...(await inbox.count(10)).slice(0, 3));
    await eventually(
      () => infoOf(stream),
      ({ stats }) => stats.totalInFlightMessages === 7,
    );
    expect((await infoOf(stream)).stats.lastCheckpointedEventRevision).toBeUndefined();
    await subscription.ack(...inbox.items.slice(3, 5));
    await eventually(
      () => infoOf(stream),
      ({ stats }) => stats.lastCheckpointedEventRevision === 4n,
    );
    await subscription.unsubscribe();
  });

  it('is written after a delay from the minimum count on', async () => {
    const stream = await created({ checkPointLowerBound: 3, checkPointAfter: 20 });
    await server.client.appendToStream(stream, countedUp(5));
    const { subscription, inbox } = consumeStream(server.client, stream, GROUP);
    await subscription.ack(...(await inbox.count(5)).slice(0, 3));
    await eventually(
      () => infoOf(stream),
      ({ stats }) => stats.lastCheckpointedEventRevision === 2n,
    );
    await subscription.unsubscribe();
  });

  it('does not pass unfinished events', async () => {
    const stream = await created({ checkPointUpperBound: 1 });
    await server.client.appendToStream(stream, countedUp(5));
    const { subscription, inbox } = consumeStream(server.client, stream, GROUP);
    const events = await inbox.count(5);
    await subscription.ack(...events.slice(0, 1), ...events.slice(2));
    await eventually(
      () => infoOf(stream),
      ({ stats }) => stats.totalInFlightMessages === 1 && stats.lastCheckpointedEventRevision === 0n,
    );
    await subscription.ack(...events.slice(1, 2));
    await eventually(
      () => infoOf(stream),
      ({ stats }) => stats.lastCheckpointedEventRevision === 4n,
    );
    await subscription.unsubscribe();
  });
});

it('redelivers the events of a broken connection at once', async () => {
  const stream = await created({ messageTimeout: 3_600_000 });
  await server.client.appendToStream(stream, countedUp(5));
  const other = connect(server.url);
  const lost = consumeStream(other, stream, GROUP);
  await lost.inbox.count(5);
  const { subscription, inbox } = consumeStream(server.client, stream, GROUP);
  await once(subscription, 'confirmation');
  lost.subscription.on('error', () => undefined);
  await other.dispose();
  const taken = await inbox.count(5);
  expect(taken.map(numberOf)).toEqual(upTo(5));
  expect(taken.map(({ retryCount }) => retryCount)).toEqual([1, 1, 1, 1, 1]);
  await subscription.unsubscribe();
});

it('accepts a missing stream, from its start and from its end', async () => {
  for (const startFrom of [START, END] as const) {
    const stream = await created({ startFrom });
    const { subscription, inbox } = consumeStream(server.client, stream, GROUP);
    await once(subscription, 'confirmation');
    await server.client.appendToStream(stream, countedUp(3));
    expect((await inbox.count(3)).map(numberOf)).toEqual([0, 1, 2]);
    await subscription.unsubscribe();
  }
});

describeEmbedded('group after a crash', () => {
  it('still has unfinished replayed messages parked, and its checkpoint', async () => {
    const dataDir = await temporaryFolder();
    const first = await spawnEventStore({ dataDir });
    const client = connect(first.url);
    const settings = streamSettings({ startFrom: START, checkPointUpperBound: 1 });
    await client.createPersistentSubscriptionToStream('work', GROUP, settings);
    await client.appendToStream('work', countedUp(4));
    const before = consumeStream(client, 'work', GROUP);
    const [zero, one, ...rest] = [...(await before.inbox.count(4))];
    if (!zero || !one) throw new Error('four events expected');
    await before.subscription.nack('park', 'broken', zero);
    await before.subscription.ack(one, ...rest.slice(0, 1));
    const info = () => client.getPersistentSubscriptionToStreamInfo('work', GROUP);
    await eventually(
      info,
      ({ stats }) => stats.parkedMessageCount === 1n && stats.lastCheckpointedEventRevision === 2n,
    );
    await client.replayParkedMessagesToStream('work', GROUP);
    await before.inbox.count(5);
    expect((await info()).stats.parkedMessageCount).toBe(0n);
    process.kill(first.pid, 'SIGKILL');
    await first.exited;
    await client.dispose();

    const second = await spawnEventStore({ dataDir });
    const later = connect(second.url);
    const found = await later.getPersistentSubscriptionToStreamInfo('work', GROUP);
    expect(found).toMatchObject({
      settings,
      stats: { parkedMessageCount: 1n, lastCheckpointedEventRevision: 2n },
    });
    const after = consumeStream(later, 'work', GROUP);
    expect((await after.inbox.count(1)).map(numberOf)).toEqual([3]);
    await later.replayParkedMessagesToStream('work', GROUP);
    expect((await after.inbox.count(2)).map(numberOf)).toEqual([3, 0]);
    await later.dispose();
    await second.stop();
    await rm(dataDir, { recursive: true });
  });
});
