import { once } from 'node:events';
import { setImmediate as yieldToLoop } from 'node:timers/promises';
import {
  END,
  eventTypeFilter,
  excludeSystemEvents,
  jsonEvent,
  type Position,
  type ResolvedEvent,
  START,
  streamNameFilter,
} from '@eventstore/db-client';
import { useContractServer } from './support/contract-server.js';
import { collect, counted, countedUp, numberOf } from './support/events.js';
import { type Inbox, inboxOf } from './support/waiting.js';

const server = useContractServer();
const upTo = (count: number) => Array.from({ length: count }, (_, n) => n);

describe('subscription to a stream', () => {
  it('delivers history, reports that it has caught up, and continues live', async () => {
    const stream = server.streamName();
    await server.client.appendToStream(stream, countedUp(300));
    const subscription = server.client.subscribeToStream(stream);
    const inbox = inboxOf(subscription);
    await Promise.all([once(subscription, 'confirmation'), once(subscription, 'caughtUp')]);
    expect(inbox.items.map(numberOf)).toEqual(upTo(300));

    await server.client.appendToStream(stream, countedUp(5, 300));
    expect((await inbox.count(305)).map(numberOf)).toEqual(upTo(305));
    await subscription.unsubscribe();
  });

  it('begins after its revision, or at the end', async () => {
    const stream = server.streamName();
    await server.client.appendToStream(stream, countedUp(5));
    const after = server.client.subscribeToStream(stream, { fromRevision: 2n });
    const end = server.client.subscribeToStream(stream, { fromRevision: END });
    const [inboxAfter, inboxEnd] = [inboxOf(after), inboxOf(end)];
    await Promise.all([once(after, 'caughtUp'), once(end, 'caughtUp')]);
    await server.client.appendToStream(stream, counted(5));

    expect((await inboxAfter.count(3)).map(numberOf)).toEqual([3, 4, 5]);
    expect((await inboxEnd.count(1)).map(numberOf)).toEqual([5]);
    await Promise.all([after.unsubscribe(), end.unsubscribe()]);
  });

  it('waits for a missing stream, and receives no other', async () => {
    const stream = server.streamName();
    const subscription = server.client.subscribeToStream(stream);
    const inbox = inboxOf(subscription);
    // EventStoreDB 23.10 never reports caught-up for a missing stream.
    await once(subscription, 'confirmation');
    await server.client.appendToStream(server.streamName(), counted(9));
    await server.client.appendToStream(stream, counted(0));
    expect((await inbox.count(1)).map(numberOf)).toEqual([0]);
    await subscription.unsubscribe();
  });
});

describe('transition from history to live', () => {
  it('loses no last append at any moment', async () => {
    const stream = server.streamName();
    const subscription = server.client.subscribeToStream(stream);
    const inbox = inboxOf(subscription);
    let count = 0;
    for (const round of upTo(400)) {
      // Many appends with small delays, so that one arrives at every moment.
      const appends = upTo(1 + (round % 7)).map(async (turns) => {
        for (const _ of upTo(turns * (round % 5))) await yieldToLoop();
        await server.client.appendToStream(stream, counted(round));
      });
      await Promise.all(appends);
      count += appends.length;
      await inbox.count(count);
    }
    expect(inbox.items).toHaveLength(count);
    await subscription.unsubscribe();
  });

  it('loses and duplicates nothing during concurrent appends', async () => {
    const stream = server.streamName('race');
    const total = 1_500;
    let appended = 0;
    const writing = (async () => {
      for (const event of countedUp(total)) {
        await server.client.appendToStream(stream, event);
        appended += 1;
      }
    })();
    const inboxes: Inbox<ResolvedEvent>[] = [];
    // A few subscriptions during the writes; more would only be slow.
    while (appended < total && inboxes.length < 20) {
      const fromAll = server.client.subscribeToAll({ filter: streamNameFilter({ prefixes: [stream] }) });
      const fromStream = server.client.subscribeToStream(stream, { fromRevision: START });
      inboxes.push(inboxOf<ResolvedEvent>(fromAll), inboxOf<ResolvedEvent>(fromStream));
      await Promise.all([once(fromAll, 'caughtUp'), once(fromStream, 'caughtUp')]);
    }
    await writing;
    for (const inbox of inboxes) expect((await inbox.count(total)).map(numberOf)).toEqual(upTo(total));
  });

  it('holds for subscriptions that begin at a moving end', async () => {
    const stream = server.streamName('moving');
    await server.client.appendToStream(stream, counted(0));
    let subscribed = false;
    const writing = (async () => {
      let n = 1;
      while (!subscribed) await server.client.appendToStream(stream, counted(n++));
      await server.client.appendToStream(stream, counted(n));
      return n;
    })();
    const subscription = server.client.subscribeToStream(stream, { fromRevision: END });
    const inbox = inboxOf(subscription);
    await once(subscription, 'caughtUp');
    subscribed = true;
    const last = await writing;
    const numbers = (await inbox.until((items) => items.some((item) => numberOf(item) === last))).map(
      numberOf,
    );
    expect(numbers).toEqual(numbers.map((_, index) => (numbers[0] ?? 0) + index));
    await subscription.unsubscribe();
  });
});

describe('filtered subscription to $all', () => {
  const append = async (stream: string, type: string) => {
    await server.client.appendToStream(stream, jsonEvent({ type, data: { type } }));
  };

  it.each([
    ['stream name prefix', (key: string) => streamNameFilter({ prefixes: [`x${key}`, `y${key}`] })],
    ['regular expression for stream names', (key: string) => streamNameFilter({ regex: `^[xy]${key}` })],
    ['type prefix', (key: string) => eventTypeFilter({ prefixes: [`X${key}`, `Y${key}`] })],
    ['regular expression for types', (key: string) => eventTypeFilter({ regex: `^[XY]${key}$` })],
  ])('filters by %s', async (_, filter) => {
    const key = server.streamName().replaceAll('-', '');
    const subscription = server.client.subscribeToAll({ filter: filter(key) });
    const inbox = inboxOf(subscription);
    for (const letter of ['x', 'z', 'y']) await append(`${letter}${key}`, `${letter.toUpperCase()}${key}`);
    const events = await inbox.count(2);
    expect(events.map(({ event }) => event?.streamId)).toEqual([`x${key}`, `y${key}`]);
    await subscription.unsubscribe();
  });

  it('excludes system events', async () => {
    const subscription = server.client.subscribeToAll({ filter: excludeSystemEvents() });
    const inbox = inboxOf(subscription);
    await once(subscription, 'caughtUp');
    expect(inbox.items.filter(({ event }) => event?.type.startsWith('$'))).toEqual([]);
    await subscription.unsubscribe();
  });

  it('sends checkpoints while nothing matches, which can be resumed from', async () => {
    const noise = server.streamName('noise');
    await server.client.appendToStream(noise, countedUp(200));
    const checkpoints: Position[] = [];
    const wanted = server.streamName('wanted');
    const filter = streamNameFilter({
      prefixes: [wanted],
      maxSearchWindow: 10,
      checkpointInterval: 2,
      checkpointReached: async (_, position) => {
        checkpoints.push(position);
      },
    });
    const subscription = server.client.subscribeToAll({ filter });
    inboxOf(subscription);
    await once(subscription, 'caughtUp');
    await subscription.unsubscribe();
    expect(checkpoints.length).toBeGreaterThanOrEqual(10);
    const commits = checkpoints.map(({ commit }) => commit);
    expect(commits).toEqual([...commits].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0)));

    await server.client.appendToStream(wanted, counted(1));
    const fromPosition = checkpoints.at(-1);
    if (!fromPosition) throw new Error('there are checkpoints');
    const resumed = server.client.subscribeToAll({ fromPosition, filter });
    expect((await inboxOf(resumed).count(1)).map(numberOf)).toEqual([1]);
    await resumed.unsubscribe();
  });

  it('rejects an invalid regular expression', async () => {
    const subscription = server.client.subscribeToAll({ filter: streamNameFilter({ regex: '(' }) });
    await expect(collect(subscription)).rejects.toThrow();
  });
});

it('begins after a position of $all', async () => {
  const stream = server.streamName();
  await server.client.appendToStream(stream, countedUp(3));
  const [first] = await collect(server.client.readStream(stream, { maxCount: 1 }));
  const fromPosition = first?.event?.position;
  if (!fromPosition) throw new Error('an event has a position');
  const subscription = server.client.subscribeToAll({ fromPosition });
  expect((await inboxOf(subscription).count(2)).map(numberOf)).toEqual([1, 2]);
  await subscription.unsubscribe();
});

it('a subscription waits for a slow reader without loss', async () => {
  const stream = server.streamName();
  await server.client.appendToStream(stream, countedUp(3_000));
  const subscription = server.client.subscribeToStream(stream, {}, { highWaterMark: 1 });
  const numbers: number[] = [];
  for await (const resolved of subscription) {
    numbers.push(numberOf(resolved));
    if (numbers.length % 100 === 0)
      await server.client.appendToStream(stream, counted(2_999 + numbers.length / 100));
    if (numbers.length === 3_020) break;
  }
  expect(numbers).toEqual(upTo(3_020));
});
