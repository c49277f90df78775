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
/** An event of a metadata stream in raw bytes, for numbers that JavaScript cannot represent. */
const metadataEvent = (data: Uint8Array, contentType: string): RawProposal => ({
  id: randomUUID(),
  type: '$metadata',
  contentType,
  data,
  metadata: Buffer.alloc(0),
});
/** Returns type, stream and revision of every new event of the log about `stream`. */
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
// A call with credentials uses the classic Append; one without uses BatchAppend.
const ways = [
  ['BatchAppend', {}],
  ['Append', { credentials: { username: 'admin', password: 'changeit' } }],
] as const;

describe('soft-deleted stream', () => {
  it('is not found except in $all', async () => {
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
    'is reopened by an append that expects %s, and continues its revisions',
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

  it.each(ways)('is missing for an append that expects it to exist: %s', async (_, way) => {
    const stream = await written();
    await server.client.deleteStream(stream);
    await expect(
      server.client.appendToStream(stream, counted(9), { ...way, expectedRevision: STREAM_EXISTS }),
    ).rejects.toBeInstanceOf(StreamDeletedError);
  });

  it('answers a repeated append of its old events as a repetition', async () => {
    const stream = server.streamName();
    const events = countedUp(2);
    await server.client.appendToStream(stream, events, { expectedRevision: NO_STREAM });
    await server.client.deleteStream(stream);
    const again = await server.client.appendToStream(stream, events, { expectedRevision: NO_STREAM });
    expect(again.nextExpectedRevision).toBe(1n);
    await expect(numbers(stream)).rejects.toBeInstanceOf(StreamNotFoundError);
  });

  it('is reopened empty by metadata', async () => {
    const stream = await written();
    await server.client.deleteStream(stream);
    await server.client.setStreamMetadata(stream, { maxCount: 5 });
    expect(await numbers(stream)).toEqual([]);
    const { metadata } = await server.client.getStreamMetadata(stream);
    expect(metadata).toEqual({ maxCount: 5, truncateBefore: 3 });
  });

  it('keeps a number that JavaScript cannot represent when it is reopened', async () => {
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

  it('requires JSON as content type of its metadata', async () => {
    const stream = await written();
    const raw = Buffer.from('{"$tb": 9223372036854775807}');
    await rawAppend(server.url, `$$${stream}`, metadataEvent(raw, 'application/octet-stream'));
    expect(await numbers(stream)).toEqual([0, 1, 2]);
  });

  it('may have had metadata but no events', async () => {
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
  ] as const)('cannot be one that never existed, if %s is expected', async (_, expectedRevision) => {
    const stream = server.streamName();
    const refused = server.client.deleteStream(stream, { expectedRevision });
    await expect(refused).rejects.toBeInstanceOf(WrongExpectedVersionError);
    await expect(refused).rejects.toMatchObject({ streamName: stream, actualVersion: -1n });
    expect(await traces(stream)).toEqual([]);
  });
});

describe('tombstoned stream', () => {
  it('rejects reads, appends and deletions as deleted', async () => {
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

  it('rejects its first metadata, and reads of it', async () => {
    const stream = await written();
    await server.client.tombstoneStream(stream);
    await expect(server.client.setStreamMetadata(stream, { maxCount: 1 })).rejects.toBeInstanceOf(
      StreamDeletedError,
    );
    await expect(server.client.getStreamMetadata(stream)).rejects.toBeInstanceOf(StreamDeletedError);
  });

  it('accepts metadata after its first, and rejects reads of it', async () => {
    const stream = await written();
    await server.client.setStreamMetadata(stream, { maxCount: 9 });
    await server.client.tombstoneStream(stream);
    await server.client.setStreamMetadata(stream, { maxCount: 1 });
    await expect(server.client.getStreamMetadata(stream)).rejects.toBeInstanceOf(StreamDeletedError);
    const [newest] = await newestEvents(server.client, 1);
    expect(newest).toMatchObject({ streamId: `$$${stream}`, revision: 1n, data: { $maxCount: 1 } });
  });

  it('ends in $all with an event of the largest revision', async () => {
    const stream = await written(1);
    const { position } = await server.client.tombstoneStream(stream);
    expect(await traces(stream)).toEqual(['Counted 0@stream', '$streamDeleted 9223372036854775807@stream']);
    const [last] = await newestEvents(server.client, 1);
    expect(last?.position).toEqual(position);
  });

  it('may have had no events, or have been soft-deleted', async () => {
    const never = server.streamName();
    await server.client.tombstoneStream(never, { expectedRevision: NO_STREAM });
    const deleted = await written();
    await server.client.deleteStream(deleted);
    await server.client.tombstoneStream(deleted);
    for (const stream of [never, deleted])
      await expect(numbers(stream)).rejects.toBeInstanceOf(StreamDeletedError);
  });

  it('rejects subscriptions, and ends existing ones', async () => {
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
  ] as const)('is rejected if it expects %s', async (expectedRevision, actual) => {
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

  it('is rejected if it expects a revision of a missing stream', async () => {
    const refused = server.client[call](server.streamName(), { expectedRevision: 0n });
    await expect(refused).rejects.toMatchObject({
      actualVersion: -1n,
      message: expect.stringMatching(
        /Delete failed due to WrongExpectedVersion\. Stream: .+, Expected version: \d+, Actual version: -1$/,
      ),
    });
  });
});
