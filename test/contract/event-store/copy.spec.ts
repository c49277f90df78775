import { randomBytes, randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { spawnEventStore } from '@app/embedded-event-store';
import { type CopyProgress, type CopyResult, copyEvents } from '@app/event-store-copy';
import {
  binaryEvent,
  type EventStoreDBClient,
  jsonEvent,
  NO_STREAM,
  StreamDeletedError,
} from '@eventstore/db-client';
import { startCopying } from './support/child-program.js';
import { connect, describeEmbedded, temporaryFolder } from './support/contract-server.js';
import { collect, counted, countedUp } from './support/events.js';
import { rawAppend } from './support/raw-append.js';

type Server = {
  readonly url: string;
  readonly client: EventStoreDBClient;
  readonly stop: () => Promise<void>;
};

const start = async (): Promise<Server> => {
  const dataDir = await temporaryFolder();
  const server = await spawnEventStore({ dataDir, appendSizeMax: 8 * 2 ** 20 });
  const client = connect(server.url);
  const stop = async (): Promise<void> => {
    await client.dispose();
    await server.stop();
    await rm(dataDir, { recursive: true });
  };
  return { url: server.url, client, stop };
};

const quiet = { fillGaps: false, onProgress: () => undefined };
const copy = (from: Server, to: Server, options = quiet): Promise<CopyResult> =>
  copyEvents({ from: from.url, to: to.url, ...options });

const WRITTEN_BY_EACH = ['$epoch-information', '$projections-$all'];
/** Returns everything readable in a log, except for the server's own events and positions. */
const readable = async ({ client }: Server) => {
  const events = [];
  for await (const { event } of client.readAll()) {
    if (!event || WRITTEN_BY_EACH.includes(event.streamId)) continue;
    const { created: _created, position: _position, ...rest } = event;
    events.push(rest);
  }
  return events;
};

describeEmbedded('copy of an event log', () => {
  let source: Server;
  let target: Server;
  beforeEach(async () => {
    [source, target] = await Promise.all([start(), start()]);
  });
  afterEach(async () => {
    await Promise.all([source.stop(), target.stop()]);
  });

  it('copies an empty log', async () => {
    expect(await copy(source, target)).toMatchObject({ events: 0, copied: 0, omitted: { system: 1 } });
  });

  it('preserves order, ids, revisions, bytes and metadata', async () => {
    const { client } = source;
    await client.appendToStream('order-1', countedUp(3));
    await client.appendToStream(
      'order-2',
      jsonEvent({ type: 'A', data: { ü: [1.5] }, metadata: { who: 'ann' } }),
    );
    await client.appendToStream('order-1', countedUp(1_200, 3));
    await client.appendToStream(
      'order-2',
      binaryEvent({ type: 'B', data: randomBytes(300), metadata: randomBytes(20) }),
    );
    await client.setStreamMetadata('order-1', { maxCount: 2_000, acl: { readRoles: ['$all'] }, note: 'x' });
    await client.appendToStream('links', binaryEvent({ type: '$>', data: Buffer.from('1@order-1') }));
    await client.appendToStream('$ce-order', binaryEvent({ type: '$>', data: Buffer.from('0@order-1') }));
    await client.setStreamMetadata('gone', { truncateBefore: 0 });

    const result = await copy(source, target);
    const expected = (await readable(source)).filter(({ streamId }) => streamId !== '$ce-order');
    expect(await readable(target)).toEqual(expected);
    expect(result).toMatchObject({
      events: expected.length,
      alreadyThere: 0,
      omitted: { projections: 2 },
    });

    const again = await copy(source, target);
    expect(again).toEqual({ ...result, copied: 0, alreadyThere: expected.length });
    const [link] = await collect(target.client.readStream('links', { resolveLinkTos: true }));
    expect(link?.event?.id).toBe(expected[1]?.id);
  });

  it('copies to a server whose system projections have written, like a new EventStoreDB', async () => {
    await source.client.appendToStream('order-1', countedUp(3));
    await target.client.setStreamMetadata('$et', { acl: { readRoles: ['$all'] } });
    await target.client.appendToStream('$et', jsonEvent({ type: '$Checkpoint', data: { $c: 0, $p: -1 } }));
    await target.client.setStreamMetadata('$streams', { acl: { readRoles: ['$all'] } });
    expect(await copy(source, target)).toMatchObject({ events: 3, copied: 3, alreadyThere: 0 });
  });

  it('copies bytes that a JSON parser would change', async () => {
    const text = '{"$tb":9223372036854775807, "b":1,\n "a":2, "a":3}';
    const odd = {
      id: randomUUID(),
      type: 'Odd',
      contentType: 'application/json',
      data: Buffer.from(text),
      metadata: Buffer.from('{"n" : 1.0}'),
    };
    await rawAppend(source.url, 'odd', odd);
    const { all, streams } = await copy(source, target);
    const third = await start();
    await rawAppend(third.url, 'odd', odd);
    const empty = await start();
    expect(await copy(third, empty)).toMatchObject({ all, streams, events: 1 });
    await rawAppend(third.url, 'odd', { ...odd, id: randomUUID(), data: Buffer.from(JSON.stringify({})) });
    await expect(copy(third, source)).resolves.toMatchObject({ copied: 1 });
    await Promise.all([third.stop(), empty.stop()]);
  });

  it('copies deleted streams and tombstones', async () => {
    const { client } = source;
    for (const stream of ['deleted', 'reopened', 'buried']) await client.appendToStream(stream, countedUp(3));
    await client.deleteStream('deleted');
    await client.deleteStream('reopened');
    await client.appendToStream('reopened', countedUp(2, 3));
    await client.deleteStream('reopened');
    await client.setStreamMetadata('reopened', { maxCount: 9, own: 1 });
    await client.appendToStream('reopened', countedUp(2, 5));
    await client.appendToStream('reopened', countedUp(1, 7));
    await client.tombstoneStream('buried');
    await copy(source, target);
    const copied = target.client;
    await expect(collect(copied.readStream('deleted'))).rejects.toThrow();
    await expect(collect(copied.readStream('buried'))).rejects.toThrow(StreamDeletedError);
    expect(await collect(copied.readStream('reopened'))).toHaveLength(3);
    expect(await readable(target)).toHaveLength((await readable(source)).length);
    expect(await copy(source, target)).toMatchObject({ copied: 0 });
  });

  it('copies events above the default size limit', async () => {
    await source.client.appendToStream('small', counted(0));
    await source.client.appendToStream('large', binaryEvent({ type: 'L', data: randomBytes(6 * 2 ** 20) }));
    await source.client.appendToStream('small', counted(1));
    expect(await copy(source, target)).toMatchObject({ events: 3 });
  });

  it('rejects a target with other events', async () => {
    await source.client.appendToStream('some', countedUp(3));
    await target.client.appendToStream('other', counted(0));
    await expect(copy(source, target)).rejects.toMatchObject({ code: 'copy-diverged' });
    expect(await readable(target)).toHaveLength(1);
  });

  it('resumes with later events of the source', async () => {
    await source.client.appendToStream('some', countedUp(3));
    await copy(source, target);
    await source.client.appendToStream('some', countedUp(2, 3), { expectedRevision: 2n });
    await source.client.appendToStream('new', counted(0), { expectedRevision: NO_STREAM });
    expect(await copy(source, target)).toMatchObject({ alreadyThere: 3, copied: 3, events: 6 });
  });

  it('names an unavailable server without its address', async () => {
    const nobody = 'esdb://u:hidden@127.0.0.1:1?tls=false';
    const failing = copyEvents({ from: source.url, to: nobody, ...quiet });
    await expect(failing).rejects.toMatchObject({
      code: 'event-store-unavailable',
      message: expect.stringMatching(/^(?!.*hidden).*target/),
    });
    const wrong = copyEvents({ from: 'http://u:hidden@x', to: nobody, ...quiet });
    await expect(wrong).rejects.toMatchObject({ code: 'invalid-configuration' });
  });

  it('resumes after the target was killed', async () => {
    const { client } = source;
    for (let n = 0; n < 30; n += 1)
      await Promise.all(
        Array.from({ length: 20 }, (_, index) => client.appendToStream(`stream-${index}`, countedUp(5))),
      );
    const dataDir = await temporaryFolder();
    for (let killAt = 200; ; killAt += 900) {
      const mortal = await spawnEventStore({ dataDir });
      const onProgress = ({ phase, events }: CopyProgress): void => {
        if (phase === 'copying' && events === killAt) process.kill(mortal.pid, 'SIGKILL');
      };
      const outcome = await copyEvents({ from: source.url, to: mortal.url, ...quiet, onProgress }).catch(
        (error: Error) => error,
      );
      await mortal.stop();
      if (!(outcome instanceof Error)) {
        expect(outcome.events).toBe(3_000);
        expect(outcome.alreadyThere).toBeGreaterThan(0);
        break;
      }
      expect(outcome).toMatchObject({ code: 'event-store-unavailable' });
    }
    await rm(dataDir, { recursive: true });
  });

  it('loses and duplicates nothing when killed at any moment', async () => {
    const { client } = source;
    for (let n = 0; n < 40; n += 1) {
      const streams = Array.from({ length: 20 }, (_, index) => `stream-${(n * 7 + index) % 33}`);
      await Promise.all(streams.map((name) => client.appendToStream(name, countedUp((n % 5) + 1))));
    }
    await client.appendToStream(
      `large-${randomUUID()}`,
      binaryEvent({ type: 'L', data: randomBytes(2 ** 20) }),
    );
    let rounds = 0;
    for (let killAt = 100; ; killAt += 400) {
      const ended = await startCopying(source.url, target.url, killAt);
      if (ended === 'done') break;
      rounds += 1;
    }
    expect(rounds).toBeGreaterThan(2);
    expect(await readable(target)).toEqual(await readable(source));
    expect(await copy(source, target)).toMatchObject({ copied: 0 });
  });
});
