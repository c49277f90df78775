import {
  persistentSubscriptionToAllSettingsFromDefaults as allSettings,
  END,
  eventTypeFilter,
  excludeSystemEvents,
  jsonEvent,
  PersistentSubscriptionDroppedError,
  START,
  streamNameFilter,
  persistentSubscriptionToStreamSettingsFromDefaults as streamSettings,
} from '@eventstore/db-client';
import { describeEmbedded, useContractServer } from './support/contract-server.js';
import { counted, countedUp, numberOf } from './support/events.js';
import { consumeAll, consumeStream, eventually } from './support/groups.js';
import { errorOf } from './support/waiting.js';

const server = useContractServer();
const GROUP = 'workers';
type Created = { readonly group: string; readonly remove: () => Promise<void> };
const created = async (
  settings: Parameters<typeof allSettings>[0],
  options: Parameters<typeof server.client.createPersistentSubscriptionToAll>[2] = {},
): Promise<Created> => {
  const group = server.streamName('group');
  await server.client.createPersistentSubscriptionToAll(group, allSettings(settings), options);
  return { group, remove: () => server.client.deletePersistentSubscriptionToAll(group) };
};

describe('group to $all', () => {
  it.each([
    [
      'a prefix of the stream',
      (mark: string) => streamNameFilter({ prefixes: [`nothing-${mark}`, `a-${mark}`] }),
    ],
    ['a pattern of the stream', (mark: string) => streamNameFilter({ regex: `^[a]-${mark}$` })],
    ['a prefix of the type', (mark: string) => eventTypeFilter({ prefixes: [`type-${mark}`] })],
    ['a pattern of the type', (mark: string) => eventTypeFilter({ regex: `^[a-z]*-${mark}$` })],
  ])('receives the events that match its filter: %s', async (_, filterOf) => {
    const mark = server.streamName('mark');
    const typed = (n: number) => jsonEvent({ type: `type-${mark}`, data: { n } });
    const noise = async () => server.client.appendToStream(server.streamName('noise'), countedUp(60, 900));
    await server.client.appendToStream(`a-${mark}`, [typed(0), typed(1)]);
    await noise();
    const { group, remove } = await created({ startFrom: START }, { filter: filterOf(mark) });
    const { subscription, inbox } = consumeAll(server.client, group);
    subscription.on('data', (event) => void subscription.ack(event));
    await inbox.count(2);
    await noise();
    await server.client.appendToStream(`a-${mark}`, typed(2));
    expect((await inbox.count(3)).map(numberOf)).toEqual([0, 1, 2]);
    await subscription.unsubscribe();
    await remove();
  });

  it('receives system events only if configured, and never its own bookkeeping', async () => {
    const settings = { startFrom: END, checkPointUpperBound: 1 } as const;
    const plain = await created(settings, { filter: excludeSystemEvents() });
    const whole = await created(settings);
    const consumers = [plain, whole].map(({ group }) => consumeAll(server.client, group));
    for (const { subscription } of consumers)
      subscription.on('data', (event) => void subscription.ack(event));
    const stream = server.streamName();
    await server.client.setStreamMetadata(stream, { maxCount: 9 });
    await server.client.appendToStream(stream, countedUp(3));
    for (const { inbox } of consumers)
      await inbox.until((items) => items.filter(({ event }) => event?.streamId === stream).length === 3);
    const [withoutSystem, withSystem] = consumers.map(({ inbox }) => inbox.items.map(({ event }) => event));
    expect(withoutSystem?.filter((event) => event?.type.startsWith('$'))).toEqual([]);
    const ownStreams = withSystem?.filter((event) =>
      event?.streamId.startsWith('$persistentsubscription-$all'),
    );
    expect(ownStreams).toEqual([]);
    expect(withSystem?.some((event) => event?.streamId === `$$${stream}`)).toBe(true);
    for (const { subscription } of consumers) await subscription.unsubscribe();
    for (const { remove } of [plain, whole]) await remove();
  });

  it('starts inclusively at a position, and at the end with new events', async () => {
    const stream = server.streamName();
    const filter = streamNameFilter({ prefixes: [stream] });
    await server.client.appendToStream(stream, counted(0));
    const { position } = await server.client.appendToStream(stream, counted(1));
    if (!position) throw new Error('an append tells its position');
    await server.client.appendToStream(stream, counted(2));
    const fromPosition = await created({ startFrom: position }, { filter });
    const fromEnd = await created({ startFrom: END }, { filter });
    await server.client.appendToStream(stream, counted(3));
    const middle = consumeAll(server.client, fromPosition.group);
    expect((await middle.inbox.count(3)).map(numberOf)).toEqual([1, 2, 3]);
    const late = consumeAll(server.client, fromEnd.group);
    expect((await late.inbox.count(1)).map(numberOf)).toEqual([3]);
    for (const { subscription } of [middle, late]) await subscription.unsubscribe();
    for (const { remove } of [fromPosition, fromEnd]) await remove();
  });

  it('advances its checkpoint past filtered events', async () => {
    const settings = { startFrom: START, checkPointUpperBound: 10 } as const;
    const filter = streamNameFilter({ prefixes: ['there is no such stream'] });
    const { group, remove } = await created(settings, { filter });
    await server.client.appendToStream(server.streamName('noise'), countedUp(50));
    const { subscription } = consumeAll(server.client, group);
    await eventually(
      () => server.client.getPersistentSubscriptionToAllInfo(group),
      ({ stats }) => stats.lastCheckpointedEventPosition !== undefined,
    );
    await subscription.unsubscribe();
    await remove();
  });
});

describe('links in a group', () => {
  it('are delivered with their target if the group resolves them, and acknowledged by their own ids', async () => {
    const source = server.streamName('source');
    const stream = server.streamName('links');
    await server.client.appendToStream(source, countedUp(2));
    const link = (target: string) => ({
      ...jsonEvent({ type: '$>', data: {} }),
      contentType: 'application/octet-stream' as const,
      data: Buffer.from(target),
    });
    await server.client.appendToStream(stream, [link(`1@${source}`), link(`7@${source}`), link('nonsense')]);
    const settings = streamSettings({ startFrom: START, resolveLinkTos: true });
    await server.client.createPersistentSubscriptionToStream(stream, GROUP, settings);
    const { subscription, inbox } = consumeStream(server.client, stream, GROUP);
    const events = [...(await inbox.count(3))];
    expect(events.map(({ event }) => event?.revision)).toEqual([1n, undefined, 2n]);
    expect(events.map((resolved) => resolved.link?.revision)).toEqual([0n, 1n, undefined]);
    for (const event of events) await subscription.nack('park', 'to see where the links lead', event);
    const parked = server.client.subscribeToStream(`$persistentsubscription-${stream}::${GROUP}-parked`);
    const targets: unknown[] = [];
    for await (const { event } of parked) {
      targets.push(event?.data instanceof Uint8Array ? Buffer.from(event.data).toString() : event?.data);
      if (targets.length === 3) break;
    }
    expect(targets).toEqual([`1@${source}`, `7@${source}`, `2@${stream}`]);
    await subscription.unsubscribe();
  });
});

it('continues after a consumer’s stop, without redelivering the event', async () => {
  const stream = server.streamName();
  await server.client.createPersistentSubscriptionToStream(
    stream,
    GROUP,
    streamSettings({ startFrom: START }),
  );
  await server.client.appendToStream(stream, countedUp(3));
  const { subscription, inbox } = consumeStream(server.client, stream, GROUP);
  const [zero] = await inbox.count(3);
  if (!zero) throw new Error('three events expected');
  await subscription.nack('stop', 'enough', zero);
  await eventually(
    () => server.client.getPersistentSubscriptionToStreamInfo(stream, GROUP),
    ({ stats }) => stats.totalInFlightMessages === 2,
  );
  await server.client.appendToStream(stream, counted(3));
  expect((await inbox.count(4)).map(numberOf)).toEqual([0, 1, 2, 3]);
  await subscription.unsubscribe();
});

// EventStoreDB delivers the tombstone, and ends the group at its next read only.
describeEmbedded('group whose stream is tombstoned', () => {
  it('drops connected and later consumers', async () => {
    const stream = server.streamName();
    await server.client.createPersistentSubscriptionToStream(
      stream,
      GROUP,
      streamSettings({ startFrom: START }),
    );
    await server.client.appendToStream(stream, countedUp(3));
    const [first, second] = [1, 2].map(() => consumeStream(server.client, stream, GROUP));
    if (!first || !second) throw new Error('two events expected');
    await Promise.race([first.inbox.count(1), second.inbox.count(1)]);
    const ended = Promise.all([errorOf(first.subscription), errorOf(second.subscription)]);
    await server.client.tombstoneStream(stream);
    for (const error of await ended) expect(error).toBeInstanceOf(PersistentSubscriptionDroppedError);
    const late = consumeStream(server.client, stream, GROUP);
    expect(await errorOf(late.subscription)).toBeInstanceOf(PersistentSubscriptionDroppedError);
  });
});
