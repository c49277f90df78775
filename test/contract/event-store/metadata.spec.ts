import { once } from 'node:events';
import { BACKWARDS, binaryEvent, END, jsonEvent } from '@eventstore/db-client';
import { useContractServer } from './support/contract-server.js';
import { collect, counted, countedUp, numberOf } from './support/events.js';
import { inboxOf } from './support/waiting.js';

const server = useContractServer();
const written = async (count: number): Promise<string> => {
  const stream = server.streamName();
  await server.client.appendToStream(stream, countedUp(count));
  return stream;
};
const numbers = async (stream: string, options = {}): Promise<number[]> =>
  (await collect(server.client.readStream(stream, options))).map(numberOf);
const LAST = { direction: BACKWARDS, fromRevision: END } as const;

describe('stream metadata', () => {
  it('is the last written value, and empty before', async () => {
    const stream = server.streamName();
    expect((await server.client.getStreamMetadata(stream)).metadata).toBeUndefined();
    await server.client.setStreamMetadata(stream, { maxCount: 7, cacheControl: 1 });
    await server.client.setStreamMetadata(stream, { maxAge: 60, own: 'yes' });
    expect((await server.client.getStreamMetadata(stream)).metadata).toEqual({ maxAge: 60, own: 'yes' });
  });

  it('respects its expected revision', async () => {
    const stream = server.streamName();
    await server.client.setStreamMetadata(stream, {}, { expectedRevision: 'no_stream' });
    await expect(
      server.client.setStreamMetadata(stream, {}, { expectedRevision: 'no_stream' }),
    ).rejects.toMatchObject({
      actualVersion: 0n,
    });
  });

  it('is stored in a stream of which only the newest event is readable', async () => {
    const stream = server.streamName();
    for (const maxCount of [1, 2, 3]) await server.client.setStreamMetadata(stream, { maxCount });
    const events = await collect(server.client.readStream(`$$${stream}`));
    expect(events.map(({ event }) => [event?.revision, event?.type])).toEqual([[2n, '$metadata']]);
  });

  it('is ignored if malformed', async () => {
    const stream = await written(3);
    const json = (text: string) => binaryEvent({ type: '$metadata', data: Buffer.from(text) });
    for (const text of [
      'nonsense',
      '[]',
      '{"$maxCount":"two"}',
      '{"$maxCount":0}',
      '{"$tb":-1,"$maxCount":1}',
    ]) {
      await server.client.appendToStream(`$$${stream}`, json(text));
      expect(await numbers(stream)).toEqual([0, 1, 2]);
    }
  });
});

describe('$maxCount', () => {
  it('keeps the newest events readable, in both directions and from any revision', async () => {
    const stream = await written(300);
    await server.client.setStreamMetadata(stream, { maxCount: 3 });
    expect(await numbers(stream)).toEqual([297, 298, 299]);
    expect(await numbers(stream, LAST)).toEqual([299, 298, 297]);
    expect(await numbers(stream, { fromRevision: 5n, maxCount: 2 })).toEqual([297, 298]);
    expect(await numbers(stream, { direction: BACKWARDS, fromRevision: 298n })).toEqual([298, 297]);
    expect(await numbers(stream, { direction: BACKWARDS, fromRevision: 100n })).toEqual([]);
    await server.client.appendToStream(stream, counted(300));
    expect(await numbers(stream)).toEqual([298, 299, 300]);
  });

  it('has no effect if larger than the stream', async () => {
    const stream = await written(2);
    await server.client.setStreamMetadata(stream, { maxCount: 3 });
    expect(await numbers(stream, LAST)).toEqual([1, 0]);
  });
});

describe('$tb', () => {
  it('hides earlier events', async () => {
    const stream = await written(5);
    await server.client.setStreamMetadata(stream, { truncateBefore: 3 });
    expect(await numbers(stream)).toEqual([3, 4]);
    expect(await numbers(stream, LAST)).toEqual([4, 3]);
    const subscription = server.client.subscribeToStream(stream);
    expect((await inboxOf(subscription).count(2)).map(numberOf)).toEqual([3, 4]);
    await subscription.unsubscribe();
  });

  it('beyond the end leaves an existing, empty stream', async () => {
    const stream = await written(5);
    await server.client.setStreamMetadata(stream, { truncateBefore: 1_000 });
    expect(await numbers(stream)).toEqual([]);
    await server.client.setStreamMetadata(stream, { truncateBefore: 4 });
    expect(await numbers(stream)).toEqual([4]);
  });
});

describe('$maxAge', () => {
  it('hides older events one after the other', async () => {
    const stream = await written(2);
    await server.client.setStreamMetadata(stream, { maxAge: 1 });
    while ((await numbers(stream)).length > 0);
    await server.client.appendToStream(stream, counted(2));
    expect(await numbers(stream)).toEqual([2]);
    expect(await numbers(stream, LAST)).toEqual([2]);
  });
});

describe('links', () => {
  const link = (target: string) => binaryEvent({ type: '$>', data: Buffer.from(target) });

  it('resolve to readable events only', async () => {
    const target = await written(4);
    const gone = await written(1);
    const ended = await written(1);
    const links = server.streamName();
    await server.client.setStreamMetadata(target, { truncateBefore: 2 });
    await server.client.deleteStream(gone);
    await server.client.tombstoneStream(ended);
    await server.client.appendToStream(links, [
      link(`1@${target}`),
      link(`3@${target}`),
      link(`9@${target}`),
      link(`0@${gone}`),
      link(`0@${ended}`),
      link('nonsense'),
      jsonEvent({ type: 'Plain', data: {} }),
    ]);
    const resolved = await collect(server.client.readStream(links, { resolveLinkTos: true }));
    expect(resolved.map(({ event }) => event?.type)).toEqual([
      undefined,
      'Counted',
      undefined,
      undefined,
      undefined,
      '$>',
      'Plain',
    ]);
    expect(resolved.map((each) => each.link?.revision)).toEqual([0n, 1n, 2n, 3n, 4n, undefined, undefined]);
    const plain = await collect(server.client.readStream(links));
    expect(plain.map(({ event }) => event?.type)).toEqual([...Array(6).fill('$>'), 'Plain']);
  });

  it('are resolved in subscriptions too', async () => {
    const target = await written(1);
    const links = server.streamName();
    await server.client.appendToStream(links, link(`0@${target}`));
    const subscription = server.client.subscribeToStream(links, { resolveLinkTos: true });
    const inbox = inboxOf(subscription);
    await once(subscription, 'caughtUp');
    expect(inbox.items.map(({ event, link: via }) => [event?.streamId, via?.streamId])).toEqual([
      [target, links],
    ]);
    await subscription.unsubscribe();
  });
});
