import {
  DISPATCH_TO_SINGLE,
  jsonEvent,
  PINNED,
  START,
  persistentSubscriptionToStreamSettingsFromDefaults as streamSettings,
} from '@eventstore/db-client';
import persistentServices from '@eventstore/db-client/generated/persistent_grpc_pb.js';
import persistentMessages from '@eventstore/db-client/generated/persistent_pb.js';
import sharedMessages from '@eventstore/db-client/generated/shared_pb.js';
import { credentials } from '@grpc/grpc-js';
import { describeEmbedded, useContractServer } from './support/contract-server.js';
import { counted, countedUp, numberOf } from './support/events.js';
import { consumeStream, eventually } from './support/groups.js';

const server = useContractServer();
const GROUP = 'workers';
type Consumer = ReturnType<typeof consumeStream>;
const infoOf = (stream: string) => server.client.getPersistentSubscriptionToStreamInfo(stream, GROUP);

/** Returns `count` connected consumers of the group. */
const connected = async (stream: string, count: number, bufferSize = 10): Promise<Consumer[]> => {
  const consumers = Array.from({ length: count }, () =>
    consumeStream(server.client, stream, GROUP, { bufferSize }),
  );
  await eventually(
    () => infoOf(stream),
    ({ connections }) => connections.length === count,
  );
  return consumers;
};
const answering = (consumers: readonly Consumer[]): void => {
  for (const { subscription } of consumers) subscription.on('data', (event) => void subscription.ack(event));
};
const allOf = async (consumers: readonly Consumer[], count: number): Promise<number[][]> => {
  const numbers = () => consumers.map(({ inbox }) => inbox.items.map(numberOf));
  await Promise.race(consumers.map(({ inbox }) => inbox.until(() => numbers().flat().length >= count)));
  return numbers();
};
const leave = async (consumers: readonly Consumer[]): Promise<void> => {
  for (const { subscription } of consumers) await subscription.unsubscribe();
};

it('RoundRobin delivers to one consumer after the other', async () => {
  const stream = server.streamName();
  await server.client.createPersistentSubscriptionToStream(
    stream,
    GROUP,
    streamSettings({ startFrom: START }),
  );
  const consumers = await connected(stream, 3);
  answering(consumers);
  await server.client.appendToStream(stream, countedUp(9));
  const shares = await allOf(consumers, 9);
  expect(shares.map((share) => share.length)).toEqual([3, 3, 3]);
  await leave(consumers);
});

it('DispatchToSingle delivers to one consumer, and to the next when it is full', async () => {
  const stream = server.streamName();
  const settings = streamSettings({ startFrom: START, consumerStrategyName: DISPATCH_TO_SINGLE });
  await server.client.createPersistentSubscriptionToStream(stream, GROUP, settings);
  const consumers = await connected(stream, 2, 5);
  await server.client.appendToStream(stream, countedUp(7));
  const shares = await allOf(consumers, 7);
  expect(shares.sort((a, b) => b.length - a.length)).toEqual([
    [0, 1, 2, 3, 4],
    [5, 6],
  ]);
  await leave(consumers);
});

describe('Pinned', () => {
  const linksTo = (streams: readonly string[], revision: number) =>
    streams.map((stream) =>
      // The client writes link data as JSON text only; the type is decisive.
      ({
        ...jsonEvent({ type: '$>', data: {} }),
        contentType: 'application/octet-stream' as const,
        data: Buffer.from(`${revision}@${stream}`),
      }),
    );

  it('keeps the events of a stream with one consumer, and reassigns them when it disconnects', async () => {
    const stream = server.streamName('links');
    const sources = Array.from({ length: 12 }, (_, n) => server.streamName(`source${n}`));
    for (const source of sources) await server.client.appendToStream(source, countedUp(3));
    const settings = streamSettings({
      startFrom: START,
      resolveLinkTos: true,
      consumerStrategyName: PINNED,
      readBatchSize: 50,
    });
    await server.client.createPersistentSubscriptionToStream(stream, GROUP, settings);
    const consumers = await connected(stream, 3, 100);
    answering(consumers);
    await server.client.appendToStream(stream, [...linksTo(sources, 0), ...linksTo(sources, 1)]);
    await allOf(consumers, 24);
    const streamsOf = ({ inbox }: Consumer) => new Set(inbox.items.map(({ event }) => event?.streamId));
    const owned = consumers.map(streamsOf);
    expect(owned.reduce((sum, { size }) => sum + size, 0)).toBe(12);
    expect(Math.min(...owned.map(({ size }) => size))).toBeGreaterThan(0);
    expect(consumers[0]?.inbox.items[0]?.link?.streamId).toBe(stream);

    const [gone, ...rest] = consumers;
    await gone?.subscription.unsubscribe();
    await eventually(
      () => infoOf(stream),
      ({ connections }) => connections.length === 2,
    );
    await server.client.appendToStream(stream, linksTo(sources, 2));
    await allOf(rest, 36 - (gone?.inbox.items.length ?? 0));
    const later = rest.map(streamsOf);
    expect(later.reduce((sum, { size }) => sum + size, 0)).toBe(12);
    for (const [index, before] of owned.slice(1).entries())
      for (const kept of before) expect([...(later[index] ?? [])]).toContain(kept);
    await leave(rest);
  });

  it('is not blocked by a full consumer', async () => {
    const stream = server.streamName('links');
    const sources = Array.from({ length: 12 }, (_, n) => server.streamName(`source${n}`));
    for (const source of sources) await server.client.appendToStream(source, countedUp(2));
    const settings = streamSettings({ startFrom: START, resolveLinkTos: true, consumerStrategyName: PINNED });
    await server.client.createPersistentSubscriptionToStream(stream, GROUP, settings);
    const [stuck, busy] = await connected(stream, 2, 1);
    if (!stuck || !busy) throw new Error('two consumers expected');
    answering([busy]);
    await server.client.appendToStream(stream, [...linksTo(sources, 0), ...linksTo(sources, 1)]);
    const info = await eventually(
      () => infoOf(stream),
      ({ stats }) =>
        stats.totalInFlightMessages === 1 &&
        stats.totalItems > 1n &&
        busy.inbox.items.length === Number(stats.totalItems) - 1,
    );
    // The waiting events belong to the blocked consumer.
    expect(info.stats.readBufferCount + busy.inbox.items.length + 1).toBe(24);
    await leave([stuck, busy]);
  });
});

describeEmbedded('PinnedByCorrelation', () => {
  /** The client lacks this strategy; the protocol has it. */
  const createPinnedByCorrelation = (stream: string, strategy: string): Promise<void> => {
    const { CreateReq } = persistentMessages;
    const identifier = new sharedMessages.StreamIdentifier();
    identifier.setStreamName(Buffer.from(stream));
    const settings = new CreateReq.Settings();
    settings.setConsumerStrategy(strategy);
    settings.setReadBatchSize(20);
    settings.setHistoryBufferSize(500);
    const streamOptions = new CreateReq.StreamOptions();
    streamOptions.setStreamIdentifier(identifier);
    streamOptions.setStart(new sharedMessages.Empty());
    const options = new CreateReq.Options();
    options.setStream(streamOptions);
    options.setGroupName(GROUP);
    options.setSettings(settings);
    const request = new CreateReq();
    request.setOptions(options);
    const { host } = new URL(server.url.replace('esdb:', 'http:'));
    const client = new persistentServices.PersistentSubscriptionsClient(host, credentials.createInsecure());
    return new Promise((resolve, reject) => {
      client.create(request, (fault: Error | null) => {
        client.close();
        if (fault) reject(fault);
        else resolve();
      });
    });
  };

  it('keeps events of one correlation with one consumer across streams', async () => {
    const stream = server.streamName();
    await createPinnedByCorrelation(stream, 'PinnedByCorrelation');
    const consumers = await connected(stream, 3, 100);
    answering(consumers);
    const correlated = (n: number) => ({ ...counted(n), metadata: { $correlationId: `matter ${n % 12}` } });
    await server.client.appendToStream(
      stream,
      Array.from({ length: 48 }, (_, n) => correlated(n)),
    );
    const shares = (await allOf(consumers, 48)).map((share) => new Set(share.map((n) => n % 12)));
    expect(shares.reduce((sum, { size }) => sum + size, 0)).toBe(12);
    expect(Math.min(...shares.map(({ size }) => size))).toBeGreaterThan(0);
    await leave(consumers);
  });

  it('is one of four valid strategies', async () => {
    await expect(createPinnedByCorrelation(server.streamName(), 'ByLuck')).rejects.toThrow(
      /INTERNAL.*ByLuck/,
    );
  });
});
