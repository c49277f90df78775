import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  ANY,
  BACKWARDS,
  END,
  NO_STREAM,
  STREAM_EXISTS,
  StreamDeletedError,
  StreamNotFoundError,
  WrongExpectedVersionError,
} from '@eventstore/db-client';
import { useContractServer } from './support/contract-server.js';
import { collect, counted, countedUp, newestEvents, numberOf } from './support/events.js';
import { type RawProposal, rawAppend } from './support/raw-append.js';
import { errorOf } from './support/waiting.js';

const server = useContractServer();
const written = async (count = 3): Promise<string> => {
  const stream = server.streamName();
  await server.client.appendToStream(stream, countedUp(count));
  return stream;
};
const numbers = async (stream: string): Promise<number[]> =>
  (await collect(server.client.readStream(stream))).map(numberOf);
/** An event of a metadata stream as it is, whatever JavaScript makes of its numbers. */
const metadataEvent = (data: Uint8Array, contentType: string): RawProposal => ({
  id: randomUUID(),
  type: '$metadata',
  contentType,
  data,
  metadata: Buffer.alloc(0),
});
/** The type, stream and revision of every new event of the log that is about `stream`. */
const traces = async (stream: string): Promise<string[]> => {
  const newest = await newestEvents(server.client, 2_000);
  return newest
    .reverse()
    .flatMap((event) =>
      [stream, `$$${stream}`].includes(event.streamId)
        ? [`${event.type} ${event.revision}@${event.streamId.startsWith('$$') ? 'metadata' : 'stream'}`]
        : [],
    );
};
// With credentials of its own a call takes the classic Append; without, BatchAppend.
const ways = [
  ['BatchAppend', {}],
  ['Append', { credentials: { username: 'admin', password: 'changeit' } }],
] as const;

describe('a deleted stream', () => {
  it('is not found any more, but in $all', async () => {
    const stream = await written();
    const { position } = await server.client.deleteStream(stream);
    await expect(numbers(stream)).rejects.toBeInstanceOf(StreamNotFoundError);
    await expect(
      collect(server.client.readStream(stream, { direction: BACKWARDS, fromRevision: END })),
    ).rejects.toBeInstanceOf(StreamNotFoundError);
    expect(await traces(stream)).toEqual([
      'Counted 0@stream',
      'Counted 1@stream',
      'Counted 2@stream',
      '$metadata 0@metadata',
    ]);
    const [last] = await newestEvents(server.client, 1);
    expect(last?.position).toEqual(position);
  });

  it.each([
    ['any', ANY],
    ['no stream', NO_STREAM],
    ['its last revision', 2n],
  ] as const)(
    'is opened again by an append that expects %s, and goes on counting',
    async (_, expectedRevision) => {
      const stream = await written();
      await server.client.deleteStream(stream);
      const { nextExpectedRevision } = await server.client.appendToStream(stream, countedUp(2, 10), {
        expectedRevision,
      });
      expect(nextExpectedRevision).toBe(4n);
      expect(await numbers(stream)).toEqual([10, 11]);
      const { metadata } = await server.client.getStreamMetadata(stream);
      expect(metadata).toEqual({ truncateBefore: 3 });
    },
  );

  it.each(ways)('does not exist for whoever expects it to: %s', async (_, way) => {
    const stream = await written();
    await server.client.deleteStream(stream);
    await expect(
      server.client.appendToStream(stream, counted(9), { ...way, expectedRevision: STREAM_EXISTS }),
    ).rejects.toBeInstanceOf(StreamDeletedError);
  });

  it('answers the repetition of what it held as a repetition', async () => {
    const stream = server.streamName();
    const events = countedUp(2);
    await server.client.appendToStream(stream, events, { expectedRevision: NO_STREAM });
    await server.client.deleteStream(stream);
    const again = await server.client.appendToStream(stream, events, { expectedRevision: NO_STREAM });
    expect(again.nextExpectedRevision).toBe(1n);
    await expect(numbers(stream)).rejects.toBeInstanceOf(StreamNotFoundError);
  });

  it('is opened again, empty, by metadata', async () => {
    const stream = await written();
    await server.client.deleteStream(stream);
    await server.client.setStreamMetadata(stream, { maxCount: 5 });
    expect(await numbers(stream)).toEqual([]);
    const { metadata } = await server.client.getStreamMetadata(stream);
    expect(metadata).toEqual({ maxCount: 5, truncateBefore: 3 });
  });

  it('keeps an own number that JavaScript cannot hold, when it is opened again', async () => {
    const stream = await written();
    const raw = Buffer.from('{"$tb": 9223372036854775807, "serial": 9007199254740993}');
    await rawAppend(server.url, `$$${stream}`, metadataEvent(raw, 'application/json'));
    await expect(numbers(stream)).rejects.toBeInstanceOf(StreamNotFoundError);
    await server.client.appendToStream(stream, counted(7));
    expect(await numbers(stream)).toEqual([7]);
    const [last, reopened] = await newestEvents(server.client, 2);
    expect(reopened?.streamId).toBe(stream);
    expect(JSON.stringify(last?.data) ?? '').toContain('"$tb":3');
  });

  it('is not deleted by metadata of another content type than JSON', async () => {
    const stream = await written();
    const raw = Buffer.from('{"$tb": 9223372036854775807}');
    await rawAppend(server.url, `$$${stream}`, metadataEvent(raw, 'application/octet-stream'));
    expect(await numbers(stream)).toEqual([0, 1, 2]);
  });

  it('can be one that never had an event, but metadata', async () => {
    const stream = server.streamName();
    await server.client.setStreamMetadata(stream, { maxCount: 3 });
    await server.client.deleteStream(stream, { expectedRevision: NO_STREAM });
    await expect(numbers(stream)).rejects.toBeInstanceOf(StreamNotFoundError);
    await server.client.appendToStream(stream, counted(0), { expectedRevision: NO_STREAM });
    expect(await numbers(stream)).toEqual([0]);
  });

  it.each([
    ['any', ANY],
    ['no stream', NO_STREAM],
  ] as const)('cannot be one that there never was, where %s is expected', async (_, expectedRevision) => {
    const stream = server.streamName();
    const refused = server.client.deleteStream(stream, { expectedRevision });
    await expect(refused).rejects.toBeInstanceOf(WrongExpectedVersionError);
    await expect(refused).rejects.toMatchObject({ streamName: stream, actualVersion: -1n });
    expect(await traces(stream)).toEqual([]);
  });
});

describe('a tombstoned stream', () => {
  it('is gone for ever: reads, appends and deletions say so', async () => {
    const stream = await written();
    await server.client.tombstoneStream(stream);
    const { client } = server;
    const attempts = [
      () => numbers(stream),
      () => collect(client.readStream(stream, { direction: BACKWARDS, fromRevision: END })),
      () => client.appendToStream(stream, counted(0)),
      () => client.appendToStream(stream, counted(0), { expectedRevision: NO_STREAM }),
      () => client.appendToStream(stream, counted(0), { expectedRevision: 2n }),
      () => client.appendToStream(stream, counted(0), { ...ways[1][1] }),
      () => client.deleteStream(stream),
      () => client.tombstoneStream(stream),
    ];
    for (const attempt of attempts) {
      const failure: unknown = await attempt().catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(StreamDeletedError);
    }
    await expect(numbers(stream)).rejects.toMatchObject({ streamName: stream });
  });

  it('refuses its first metadata, and does not let them be read', async () => {
    const stream = await written();
    await server.client.tombstoneStream(stream);
    await expect(server.client.setStreamMetadata(stream, { maxCount: 1 })).rejects.toBeInstanceOf(
      StreamDeletedError,
    );
    await expect(server.client.getStreamMetadata(stream)).rejects.toBeInstanceOf(StreamDeletedError);
  });

  it('ends in $all with an event of the largest revision', async () => {
    const stream = await written(1);
    const { position } = await server.client.tombstoneStream(stream);
    expect(await traces(stream)).toEqual(['Counted 0@stream', '$streamDeleted 9223372036854775807@stream']);
    const [last] = await newestEvents(server.client, 1);
    expect(last?.position).toEqual(position);
  });

  it('may be one that never had an event, or one that is deleted', async () => {
    const never = server.streamName();
    await server.client.tombstoneStream(never, { expectedRevision: NO_STREAM });
    const deleted = await written();
    await server.client.deleteStream(deleted);
    await server.client.tombstoneStream(deleted);
    for (const stream of [never, deleted])
      await expect(numbers(stream)).rejects.toBeInstanceOf(StreamDeletedError);
  });

  it('refuses subscriptions, and ends those that there are', async () => {
    const stream = await written();
    const live = server.client.subscribeToStream(stream);
    live.on('data', () => undefined);
    const ended = errorOf(live);
    await once(live, 'caughtUp');
    await server.client.tombstoneStream(stream);
    expect(await ended).toBeInstanceOf(StreamDeletedError);
    const late = server.client.subscribeToStream(stream);
    late.on('data', () => undefined);
    expect(await errorOf(late)).toBeInstanceOf(StreamDeletedError);
  });
});

describe.each([
  ['a deletion', 'deleteStream'],
  ['a tombstone', 'tombstoneStream'],
] as const)('%s', (_, call) => {
  it.each([
    [0n, '2'],
    [3n, '2'],
    [NO_STREAM, '2'],
  ] as const)('is refused where it expects %s', async (expectedRevision, actual) => {
    const stream = await written();
    const refused = server.client[call](stream, { expectedRevision });
    await expect(refused).rejects.toBeInstanceOf(WrongExpectedVersionError);
    await expect(refused).rejects.toMatchObject({
      streamName: stream,
      expectedVersion: expectedRevision === NO_STREAM ? -1n : expectedRevision,
      actualVersion: BigInt(actual),
    });
    expect(await numbers(stream)).toEqual([0, 1, 2]);
  });

  it('is refused where it expects a revision of a stream that there is not', async () => {
    const refused = server.client[call](server.streamName(), { expectedRevision: 0n });
    await expect(refused).rejects.toMatchObject({
      actualVersion: -1n,
      message: expect.stringMatching(
        /Delete failed due to WrongExpectedVersion\. Stream: .+, Expected version: \d+, Actual version: -1$/,
      ),
    });
  });
});
