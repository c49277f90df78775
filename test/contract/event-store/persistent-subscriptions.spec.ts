import { once } from 'node:events';
import {
  persistentSubscriptionToAllSettingsFromDefaults as allSettings,
  END,
  PersistentSubscriptionDoesNotExistError,
  PersistentSubscriptionDroppedError,
  PersistentSubscriptionExistsError,
  PersistentSubscriptionMaximumSubscribersReachedError,
  type PersistentSubscriptionToAllResolvedEvent,
  type PersistentSubscriptionToStreamResolvedEvent,
  START,
  streamNameFilter,
  persistentSubscriptionToStreamSettingsFromDefaults as streamSettings,
} from '@eventstore/db-client';
import { useContractServer } from './support/contract-server.js';
import { counted, countedUp, numberOf } from './support/events.js';
import { errorOf, inboxOf } from './support/waiting.js';

const server = useContractServer();
const GROUP = 'workers';
const upTo = (count: number) => Array.from({ length: count }, (_, n) => n);
const sorted = (numbers: readonly number[]) => [...numbers].sort((a, b) => a - b);

const created = async (settings: Parameters<typeof streamSettings>[0] = {}): Promise<string> => {
  const stream = server.streamName();
  await server.client.createPersistentSubscriptionToStream(
    stream,
    GROUP,
    streamSettings({ startFrom: START, ...settings }),
  );
  return stream;
};
const consume = (stream: string, bufferSize = 10) => {
  const subscription = server.client.subscribeToPersistentSubscriptionToStream(stream, GROUP, { bufferSize });
  return { subscription, inbox: inboxOf<PersistentSubscriptionToStreamResolvedEvent>(subscription) };
};

describe('group', () => {
  it('exists once, until it is deleted', async () => {
    const stream = await created();
    const again = server.client.createPersistentSubscriptionToStream(stream, GROUP, streamSettings());
    await expect(again).rejects.toBeInstanceOf(PersistentSubscriptionExistsError);
    await expect(again).rejects.toMatchObject({ streamName: stream, groupName: GROUP });

    const { subscription } = consume(stream);
    const dropped = errorOf(subscription);
    await server.client.getPersistentSubscriptionToStreamInfo(stream, GROUP);
    await server.client.deletePersistentSubscriptionToStream(stream, GROUP);
    expect(await dropped).toBeInstanceOf(PersistentSubscriptionDroppedError);
    const missing = server.client.deletePersistentSubscriptionToStream(stream, GROUP);
    await expect(missing).rejects.toBeInstanceOf(PersistentSubscriptionDoesNotExistError);
    await expect(missing).rejects.toMatchObject({ streamName: stream, groupName: GROUP });
  });

  it('must exist to be consumed or queried', async () => {
    const stream = server.streamName();
    expect(await errorOf(consume(stream).subscription)).toBeInstanceOf(
      PersistentSubscriptionDoesNotExistError,
    );
    await expect(server.client.getPersistentSubscriptionToStreamInfo(stream, GROUP)).rejects.toBeInstanceOf(
      PersistentSubscriptionDoesNotExistError,
    );
  });

  it('exists as soon as a concurrent create reports it as existing', async () => {
    const stream = server.streamName();
    await server.client.appendToStream(stream, counted(0));
    const creations = [1, 2, 3].map(async () => {
      const settings = streamSettings({ startFrom: START });
      await server.client
        .createPersistentSubscriptionToStream(stream, GROUP, settings)
        .catch((error: unknown) => expect(error).toBeInstanceOf(PersistentSubscriptionExistsError));
      const { subscription } = consume(stream);
      await Promise.race([
        once(subscription, 'confirmation'),
        errorOf(subscription).then((error) => Promise.reject(error)),
      ]);
      await subscription.unsubscribe();
    });
    await Promise.all(creations);
  });

  it('rejects consumers above its maximum', async () => {
    const stream = await created({ maxSubscriberCount: 1 });
    await server.client.appendToStream(stream, counted(0));
    const first = consume(stream);
    await first.inbox.count(1);
    const error = await errorOf(consume(stream).subscription);
    expect(error).toBeInstanceOf(PersistentSubscriptionMaximumSubscribersReachedError);
    expect(error.message).toContain(`Maximum subscriptions reached for subscription group ${GROUP}`);
    await first.subscription.unsubscribe();
  });

  it('reports its settings and progress', async () => {
    const stream = await created({ maxRetryCount: 3, messageTimeout: 4_000 });
    await server.client.appendToStream(stream, countedUp(4));
    const { subscription, inbox } = consume(stream, 2);
    await inbox.count(2);
    const info = await server.client.getPersistentSubscriptionToStreamInfo(stream, GROUP);
    expect(info).toMatchObject({
      eventSource: stream,
      groupName: GROUP,
      settings: {
        startFrom: START,
        maxRetryCount: 3,
        messageTimeout: 4_000,
        consumerStrategyName: 'RoundRobin',
      },
      stats: { lastKnownEventRevision: 3n, totalInFlightMessages: 2, parkedMessageCount: 0n },
    });
    expect(info.connections).toHaveLength(1);
    await subscription.unsubscribe();
  });
});

describe('consumer', () => {
  it('receives old and new events, in order if it is alone', async () => {
    const stream = await created();
    await server.client.appendToStream(stream, countedUp(50));
    const { subscription, inbox } = consume(stream);
    subscription.on('data', (event) => void subscription.ack(event));
    await inbox.count(50);
    await server.client.appendToStream(stream, countedUp(50, 50));
    expect((await inbox.count(100)).map(numberOf)).toEqual(upTo(100));
    await subscription.unsubscribe();
  });

  it('receives only new events of a group that starts at the end', async () => {
    const stream = server.streamName();
    await server.client.appendToStream(stream, countedUp(3));
    await server.client.createPersistentSubscriptionToStream(
      stream,
      GROUP,
      streamSettings({ startFrom: END }),
    );
    await server.client.appendToStream(stream, counted(3));
    const { subscription, inbox } = consume(stream);
    expect((await inbox.count(1)).map(numberOf)).toEqual([3]);
    await subscription.unsubscribe();
  });

  it('receives at most one buffer of events at once', async () => {
    const stream = await created();
    await server.client.appendToStream(stream, countedUp(20));
    const { subscription, inbox } = consume(stream, 3);
    await inbox.count(3);
    const { stats } = await server.client.getPersistentSubscriptionToStreamInfo(stream, GROUP);
    expect([inbox.items.length, stats.totalInFlightMessages]).toEqual([3, 3]);
    for (const event of [...inbox.items]) await subscription.ack(event);
    expect((await inbox.count(6)).map(numberOf)).toEqual(upTo(6));
    await subscription.unsubscribe();
  });

  it('shares events with others', async () => {
    const stream = await created();
    const consumers = [consume(stream), consume(stream), consume(stream)];
    for (const { subscription } of consumers)
      subscription.on('data', (event) => void subscription.ack(event));
    await server.client.appendToStream(stream, countedUp(300));
    const numbers = () => consumers.flatMap(({ inbox }) => inbox.items.map(numberOf));
    await Promise.race(consumers.map(({ inbox }) => inbox.until(() => numbers().length >= 300)));
    expect(sorted(numbers())).toEqual(upTo(300));
    for (const { inbox } of consumers) expect(inbox.items.length).toBeGreaterThan(50);
    for (const { subscription } of consumers) await subscription.unsubscribe();
  });

  it('leaves unacknowledged events to the next one', async () => {
    const stream = await created();
    await server.client.appendToStream(stream, countedUp(5));
    const first = consume(stream);
    await first.inbox.count(5);
    await first.subscription.ack(...first.inbox.items.slice(0, 2));
    const second = consume(stream);
    await first.subscription.unsubscribe();
    const taken = await second.inbox.count(3);
    expect(taken.map(numberOf)).toEqual([2, 3, 4]);
    expect(taken.map(({ retryCount }) => retryCount)).toEqual([1, 1, 1]);
    await second.subscription.unsubscribe();
  });
});

describe('unacknowledged event', () => {
  it('is redelivered on the consumer’s request, and parked above the retry limit', async () => {
    const stream = await created({ maxRetryCount: 2 });
    await server.client.appendToStream(stream, countedUp(2));
    const { subscription, inbox } = consume(stream);
    subscription.on('data', (event) => {
      if (numberOf(event) === 0) void subscription.nack('retry', 'not now', event);
      else void subscription.ack(event);
    });
    const zeros = await inbox.until((items) => items.filter((item) => numberOf(item) === 0).length === 3);
    expect(zeros.filter((item) => numberOf(item) === 0).map(({ retryCount }) => retryCount)).toEqual([
      0, 1, 2,
    ]);
    const parked = `$persistentsubscription-${stream}::${GROUP}-parked`;
    const watching = server.client.subscribeToStream(parked, { resolveLinkTos: true });
    const [link] = await inboxOf(watching).count(1);
    expect([link?.event?.streamId, link?.event?.revision, link?.link?.type]).toEqual([stream, 0n, '$>']);
    await watching.unsubscribe();
    await subscription.unsubscribe();
  });

  it('is parked or skipped on the consumer’s request', async () => {
    const stream = await created();
    await server.client.appendToStream(stream, countedUp(3));
    const { subscription, inbox } = consume(stream, 1);
    const [zero] = await inbox.count(1);
    if (zero) await subscription.nack('park', 'broken', zero);
    const one = (await inbox.count(2))[1];
    if (one) await subscription.nack('skip', 'no matter', one);
    expect((await inbox.count(3)).map(numberOf)).toEqual([0, 1, 2]);
    const parked = `$persistentsubscription-${stream}::${GROUP}-parked`;
    const watching = server.client.subscribeToStream(parked, { resolveLinkTos: true });
    expect((await inboxOf(watching).count(1)).map(numberOf)).toEqual([0]);
    await watching.unsubscribe();
    await subscription.unsubscribe();
  });

  it('is redelivered after its timeout', async () => {
    const stream = await created({ messageTimeout: 50, maxRetryCount: 100 });
    await server.client.appendToStream(stream, counted(0));
    const { subscription, inbox } = consume(stream);
    expect((await inbox.count(3)).map(numberOf)).toEqual([0, 0, 0]);
    await subscription.unsubscribe();
  });

  it('is acknowledged in time until the server’s next check, which is once a second', async () => {
    const stream = await created({ messageTimeout: 1, maxRetryCount: 100 });
    const { subscription, inbox } = consume(stream);
    const isRedelivered = async (n: number): Promise<boolean> => {
      await server.client.appendToStream(stream, counted(n));
      const at = (await inbox.until((items) => items.some((item) => numberOf(item) === n))).findIndex(
        (item) => numberOf(item) === n,
      );
      // Each of these takes longer than the timeout.
      for (let call = 0; call < 5; call += 1)
        await server.client.getPersistentSubscriptionToStreamInfo(stream, GROUP);
      const [item] = inbox.items.slice(at);
      if (item) await subscription.ack(item);
      await server.client.getPersistentSubscriptionToStreamInfo(stream, GROUP);
      return inbox.items.filter((other) => numberOf(other) === n).length > 1;
    };
    // A check may fall into one of the attempts, but not into each.
    let attempts = 0;
    while (attempts < 10 && (await isRedelivered(attempts))) attempts += 1;
    expect(attempts).toBeLessThan(10);
    await subscription.unsubscribe();
  });
});

it('a group follows $all with a filter', async () => {
  const prefix = server.streamName('filtered');
  const group = server.streamName('group');
  const filter = streamNameFilter({ prefixes: [prefix] });
  const settings = allSettings({ startFrom: START });
  await server.client.createPersistentSubscriptionToAll(group, settings, { filter });
  const subscription = server.client.subscribeToPersistentSubscriptionToAll(group);
  const inbox = inboxOf<PersistentSubscriptionToAllResolvedEvent>(subscription);
  subscription.on('data', (event) => void subscription.ack(event));
  for (const n of [0, 1, 2]) {
    await server.client.appendToStream(server.streamName('noise'), counted(99));
    await server.client.appendToStream(`${prefix}-${n}`, counted(n));
  }
  expect((await inbox.count(3)).map(numberOf)).toEqual([0, 1, 2]);
  expect(await server.client.getPersistentSubscriptionToAllInfo(group)).toMatchObject({
    eventSource: '$all',
  });
  await subscription.unsubscribe();
  await server.client.deletePersistentSubscriptionToAll(group);
});
