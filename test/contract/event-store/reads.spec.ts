import { BACKWARDS, END, type ReadStreamOptions, START, StreamNotFoundError } from '@eventstore/db-client';
import { describeEmbedded, useContractServer } from './support/contract-server.js';
import { collect, countedUp, newestEvents, numberOf } from './support/events.js';

const server = useContractServer();
const U64_MAX = 2n ** 64n - 1n;

const streamOf = async (count: number): Promise<string> => {
  const stream = server.streamName();
  await server.client.appendToStream(stream, countedUp(count));
  return stream;
};

describe('read of a stream', () => {
  const cases: readonly (readonly [ReadStreamOptions, readonly number[]])[] = [
    [{}, [0, 1, 2, 3, 4]],
    [{ fromRevision: 2n }, [2, 3, 4]],
    [{ fromRevision: 2n, maxCount: 2 }, [2, 3]],
    [{ fromRevision: 5n }, []],
    [{ fromRevision: 2n ** 63n - 1n }, []],
    [{ direction: BACKWARDS, fromRevision: END }, [4, 3, 2, 1, 0]],
    [{ direction: BACKWARDS, fromRevision: U64_MAX, maxCount: 1 }, [4]],
    [{ direction: BACKWARDS, fromRevision: 2n }, [2, 1, 0]],
    [{ direction: BACKWARDS, fromRevision: 99n, maxCount: 2 }, [4, 3]],
    [{ direction: BACKWARDS, fromRevision: START }, [0]],
  ];
  it.each(cases)('returns the requested range in case %#', async (options, expected) => {
    const stream = await streamOf(5);
    const events = await collect(server.client.readStream(stream, options));
    expect(events.map(numberOf)).toEqual(expected);
  });

  // EventStoreDB 23.10 answers with an unknown error.
  describeEmbedded('forwards from the end', () => {
    it.each([END, U64_MAX] as const)('is empty from %s', async (fromRevision) => {
      const stream = await streamOf(5);
      expect(await collect(server.client.readStream(stream, { fromRevision }))).toEqual([]);
    });
  });

  it('fails for a missing stream', async () => {
    const stream = server.streamName();
    const reading = collect(server.client.readStream(stream));
    await expect(reading).rejects.toBeInstanceOf(StreamNotFoundError);
    await expect(reading).rejects.toMatchObject({ streamName: stream });
  });

  it('distinguishes streams with a common prefix', async () => {
    const stream = await streamOf(3);
    await server.client.appendToStream(`${stream}0`, countedUp(2, 100));
    expect((await collect(server.client.readStream(stream))).map(numberOf)).toEqual([0, 1, 2]);
    expect((await collect(server.client.readStream(`${stream}0`))).map(numberOf)).toEqual([100, 101]);
  });

  it('returns thousands of events in order, forwards and backwards', async () => {
    const stream = await streamOf(2_000);
    const numbers = (await collect(server.client.readStream(stream))).map(numberOf);
    const options = { direction: BACKWARDS, fromRevision: END } as const;
    const reversed = (await collect(server.client.readStream(stream, options))).map(numberOf);
    expect(numbers).toEqual(Array.from({ length: 2_000 }, (_, n) => n));
    expect(reversed.reverse()).toEqual(numbers);
  });

  it('can be abandoned', async () => {
    const stream = await streamOf(1_000);
    for await (const { event } of server.client.readStream(stream)) if (event?.revision === 10n) break;
    expect(await collect(server.client.readStream(stream, { maxCount: 1 }))).toHaveLength(1);
  });

  it('is empty for a name longer than an append allows', async () => {
    await expect(collect(server.client.readStream('x'.repeat(5_000)))).rejects.toThrow(StreamNotFoundError);
  });
});

describe('read of $all', () => {
  it('is never empty, in ascending order', async () => {
    const stream = await streamOf(10);
    const [first] = await collect(server.client.readStream(stream, { maxCount: 1 }));
    const fromPosition = first?.event?.position;
    if (!fromPosition) throw new Error('an event has a position');
    const events = await collect(server.client.readAll({ fromPosition }));
    const positions = events.map(({ event }) => event?.position?.commit ?? -1n);
    expect(positions).toEqual([...positions].sort((a, b) => (a < b ? -1 : 1)));
    expect(new Set(positions).size).toBe(positions.length);
    expect(events.filter(({ event }) => event?.streamId === stream).map(numberOf)).toHaveLength(10);
  });

  it('begins with the event at a position forwards, and before it backwards', async () => {
    const stream = await streamOf(3);
    const all = await collect(server.client.readStream(stream));
    const position = all[1]?.event?.position;
    if (!position) throw new Error('an event has a position');
    const [forwards] = await collect(server.client.readAll({ fromPosition: position, maxCount: 1 }));
    const backwards = { direction: BACKWARDS, fromPosition: position, maxCount: 1 } as const;
    const [before] = await collect(server.client.readAll(backwards));
    expect([forwards, before].map((resolved) => resolved?.event?.revision)).toEqual([1n, 0n]);
  });

  it('ends with the newest event', async () => {
    const stream = await streamOf(3);
    const newest = await newestEvents(server.client, 2);
    expect(newest.map(({ streamId, revision }) => [streamId, revision])).toEqual([
      [stream, 2n],
      [stream, 1n],
    ]);
    const beyond = await collect(server.client.readAll({ fromPosition: END }));
    expect(beyond.filter(({ event }) => event?.streamId === stream)).toEqual([]);
  });
});

it('returns the metadata of a stream', async () => {
  const stream = await streamOf(1);
  expect((await server.client.getStreamMetadata(stream)).metadata).toBeUndefined();
  await server.client.setStreamMetadata(stream, { maxCount: 3, owner: 'us' });
  expect((await server.client.getStreamMetadata(stream)).metadata).toEqual({ maxCount: 3, owner: 'us' });
});
