import {
  persistentSubscriptionToAllSettingsFromDefaults as allSettings,
  PersistentSubscriptionDoesNotExistError,
  type PersistentSubscriptionToStreamResolvedEvent,
  START,
  streamNameFilter,
  persistentSubscriptionToStreamSettingsFromDefaults as streamSettings,
} from '@eventstore/db-client';
import { useContractServer } from './support/contract-server.js';
import { collect, countedUp, numberOf } from './support/events.js';
import { consumeAll, consumeStream, eventually } from './support/groups.js';

const server = useContractServer();
const GROUP = 'workers';
const infoOf = (stream: string) => server.client.getPersistentSubscriptionToStreamInfo(stream, GROUP);
const upTo = (count: number) => Array.from({ length: count }, (_, n) => n);

/** Returns a group with `count` parked events, and its consumer, which now answers with `answer`. */
const parked = async (count: number, settings: Parameters<typeof streamSettings>[0] = {}) => {
  const stream = server.streamName();
  const whole = streamSettings({ startFrom: START, ...settings });
  await server.client.createPersistentSubscriptionToStream(stream, GROUP, whole);
  await server.client.appendToStream(stream, countedUp(count));
  const consumer = consumeStream(server.client, stream, GROUP);
  const { subscription, inbox } = consumer;
  let answer = (event: PersistentSubscriptionToStreamResolvedEvent) =>
    subscription.nack('park', 'broken', event);
  subscription.on('data', (event) => void answer(event));
  await eventually(
    () => infoOf(stream),
    ({ stats }) => stats.parkedMessageCount === BigInt(count),
  );
  const replay = (stopAt?: number) => {
    inbox.items.length = 0;
    answer = (event) => subscription.ack(event);
    return server.client.replayParkedMessagesToStream(stream, GROUP, stopAt === undefined ? {} : { stopAt });
  };
  return {
    stream,
    subscription,
    inbox,
    replay,
    parkedStream: `$persistentsubscription-${stream}::${GROUP}-parked`,
  };
};

/** Returns the last metadata written for a stream. */
const metadataOf = async (stream: string): Promise<unknown> => {
  const read = server.client.readStream(`$$${stream}`, {
    direction: 'backwards',
    fromRevision: 'end',
    maxCount: 1,
  });
  const [last] = await collect(read).catch(() => []);
  return last?.event?.data;
};

describe('parked messages', () => {
  it('record when and why they were parked, and the original event', async () => {
    const { parkedStream, subscription } = await parked(2);
    const links = await collect(server.client.readStream(parkedStream));
    expect(links.map(({ event }) => event?.metadata)).toEqual(
      [0, 1].map((subscriptionEventNumber) => ({
        added: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
        reason: expect.stringContaining('broken'),
        ...(subscriptionEventNumber > 0 && { subscriptionEventNumber }),
      })),
    );
    await subscription.unsubscribe();
  });

  it('are redelivered by a replay, with links to them, and are no longer parked', async () => {
    const { stream, subscription, inbox, replay, parkedStream } = await parked(30);
    await replay();
    const replayed = await inbox.count(30);
    expect(replayed.map(numberOf)).toEqual(upTo(30));
    expect(replayed.map(({ retryCount }) => retryCount)).toEqual(upTo(30).map(() => 0));
    expect(replayed[0]).toMatchObject({ event: { streamId: stream }, link: { streamId: parkedStream } });
    const { stats } = await infoOf(stream);
    expect(stats.parkedMessageCount).toBe(0n);
    await eventually(
      () => metadataOf(parkedStream),
      (metadata) => JSON.stringify(metadata)?.startsWith('{"$tb":30') === true,
    );
    await subscription.unsubscribe();
  });

  it('are redelivered up to the end of the replay; the next replay continues from there', async () => {
    const { stream, subscription, inbox, replay } = await parked(20);
    await replay(4);
    expect((await inbox.count(4)).map(numberOf)).toEqual([0, 1, 2, 3]);
    expect((await infoOf(stream)).stats).toMatchObject({ parkedMessageCount: 16n, totalItems: 24n });
    await replay();
    expect((await inbox.count(16)).map(numberOf)).toEqual(upTo(20).slice(4));
    await subscription.unsubscribe();
  });

  it('are retried like others, and parked again above the limit', async () => {
    const { stream, subscription, inbox, replay } = await parked(1, { maxRetryCount: 2 });
    const replaying = replay();
    subscription.removeAllListeners('data');
    subscription.on('data', (event) => {
      inbox.push(event);
      void subscription.nack('retry', 'not yet', event);
    });
    await replaying;
    expect((await inbox.count(3)).map(({ retryCount }) => retryCount)).toEqual([0, 1, 2]);
    await eventually(
      () => infoOf(stream),
      ({ stats }) => stats.parkedMessageCount === 1n,
    );
    await subscription.unsubscribe();
  });

  it('of a group to $all are redelivered, too', async () => {
    const prefix = server.streamName('parked');
    const group = server.streamName('group');
    const filter = streamNameFilter({ prefixes: [prefix] });
    const settings = allSettings({ startFrom: START });
    await server.client.createPersistentSubscriptionToAll(group, settings, { filter });
    await server.client.appendToStream(prefix, countedUp(3));
    const { subscription, inbox } = consumeAll(server.client, group);
    for (const event of [...(await inbox.count(3))]) await subscription.nack('park', 'broken', event);
    const info = () => server.client.getPersistentSubscriptionToAllInfo(group);
    await eventually(info, ({ stats }) => stats.parkedMessageCount === 3n);
    await server.client.replayParkedMessagesToAll(group, { stopAt: 2 });
    expect((await inbox.count(5)).map(numberOf)).toEqual([0, 1, 2, 0, 1]);
    await subscription.unsubscribe();
    await server.client.deletePersistentSubscriptionToAll(group);
  });

  it('are deleted with their group, and do not appear in a new one of the same name', async () => {
    const { stream } = await parked(2);
    await server.client.deletePersistentSubscriptionToStream(stream, GROUP);
    await server.client.createPersistentSubscriptionToStream(stream, GROUP, streamSettings());
    expect((await infoOf(stream)).stats.parkedMessageCount).toBe(0n);
  });
});

describe('replay', () => {
  it('of no messages does nothing', async () => {
    const { subscription, replay, stream } = await parked(0);
    await replay();
    await replay(3);
    expect((await infoOf(stream)).status).toBe('Live');
    await subscription.unsubscribe();
  });

  it('fails for a missing group', async () => {
    const stream = server.streamName();
    const missing = server.client.replayParkedMessagesToStream(stream, GROUP);
    await expect(missing).rejects.toBeInstanceOf(PersistentSubscriptionDoesNotExistError);
    await expect(missing).rejects.toMatchObject({ streamName: stream, groupName: GROUP });
  });
});
