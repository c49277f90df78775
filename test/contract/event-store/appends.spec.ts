import {
  ANY,
  BACKWARDS,
  binaryEvent,
  DeadlineExceededError,
  END,
  FORWARDS,
  jsonEvent,
  MaxAppendSizeExceededError,
  NO_STREAM,
  START,
  STREAM_EXISTS,
  StreamNotFoundError,
  UnknownError,
  WrongExpectedVersionError,
} from '@eventstore/db-client';
import { describeEmbedded, useContractServer } from './support/contract-server.js';
import { collect, counted, countedUp, numberOf } from './support/events.js';

const server = useContractServer();
// A call with credentials uses the classic Append; one without uses BatchAppend.
const ways = [
  ['BatchAppend', {}],
  ['Append', { credentials: { username: 'admin', password: 'changeit' } }],
] as const;

const bytesOf = (value: unknown): Uint8Array => {
  if (value instanceof Uint8Array) return Uint8Array.from(value);
  throw new Error('not bytes');
};

describe.each(ways)('%s', (_, way) => {
  const { streamName } = server;
  const append = (stream: string, events: Parameters<typeof server.client.appendToStream>[1], options = {}) =>
    server.client.appendToStream(stream, events, { ...way, ...options });

  it('returns the revision and position of the last event', async () => {
    const stream = streamName();
    const first = await append(stream, countedUp(3), { expectedRevision: NO_STREAM });
    const second = await append(stream, counted(3), { expectedRevision: 2n });

    expect([first.nextExpectedRevision, second.nextExpectedRevision]).toEqual([2n, 3n]);
    const [last] = await collect(server.client.readStream(stream, { fromRevision: 3n }));
    expect(last?.event?.position).toEqual(second.position);
  });

  it('becomes visible as a whole', async () => {
    const stream = streamName();
    let isWritten = false;
    const written = append(stream, countedUp(4_000)).finally(() => {
      isWritten = true;
    });
    const newest = { direction: BACKWARDS, maxCount: 1 } as const;
    const seen = new Set<bigint | undefined>();
    const reader = async (): Promise<void> => {
      while (!isWritten) {
        const [ofAll] = await collect(server.client.readAll({ ...newest, fromPosition: END }));
        if (ofAll?.event?.streamId === stream) seen.add(ofAll.event.revision);
        try {
          const [ofStream] = await collect(
            server.client.readStream(stream, { ...newest, fromRevision: END }),
          );
          seen.add(ofStream?.event?.revision);
        } catch (error) {
          if (!(error instanceof StreamNotFoundError)) throw error;
        }
      }
    };
    await Promise.all([written, ...Array.from({ length: 4 }, reader)]);
    expect([...seen].filter((revision) => revision !== 3_999n)).toEqual([]);
  });

  it.each([
    [NO_STREAM, 1n],
    [0n, 1n],
    [2n, 1n],
    [2n ** 63n - 1n, 1n],
  ])('rejects %s if the last revision is 1', async (expectedRevision, actual) => {
    const stream = streamName();
    await append(stream, countedUp(2));
    const conflict = append(stream, counted(2), { expectedRevision });

    await expect(conflict).rejects.toBeInstanceOf(WrongExpectedVersionError);
    await expect(conflict).rejects.toMatchObject({
      streamName: stream,
      expectedVersion: expectedRevision,
      actualVersion: actual,
    });
  });

  it.each([[STREAM_EXISTS], [0n], [5n]])('rejects %s for a missing stream', async (expectedRevision) => {
    const conflict = append(streamName(), counted(0), { expectedRevision });
    await expect(conflict).rejects.toMatchObject({
      type: 'wrong-expected-version',
      expectedVersion: expectedRevision,
      actualVersion: 'no_stream',
    });
  });

  it('appends with `any` and `stream exists`', async () => {
    const stream = streamName();
    await append(stream, counted(0), { expectedRevision: ANY });
    const result = await append(stream, counted(1), { expectedRevision: STREAM_EXISTS });
    expect(result.nextExpectedRevision).toBe(1n);
  });

  it('treats a stream with metadata only as existing', async () => {
    const stream = streamName();
    await server.client.setStreamMetadata(stream, { maxCount: 10 });
    const result = await append(stream, counted(0), { expectedRevision: STREAM_EXISTS });
    expect(result.nextExpectedRevision).toBe(0n);
  });

  it('accepts one of many concurrent writers', async () => {
    const stream = streamName();
    const attempts = await Promise.allSettled(
      countedUp(20).map((event) => append(stream, event, { expectedRevision: NO_STREAM })),
    );
    expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await collect(server.client.readStream(stream))).toHaveLength(1);
  });

  it('appends no events, or all atomically', async () => {
    const stream = streamName();
    await append(stream, [], { expectedRevision: ANY });
    await append(stream, countedUp(5_000));
    const events = await collect(
      server.client.readStream(stream, { direction: FORWARDS, fromRevision: START }),
    );
    expect(events.map(numberOf)).toEqual(Array.from({ length: 5_000 }, (_, n) => n));
  });

  it('keeps data, metadata, type and time', async () => {
    const stream = streamName();
    const before = Date.now();
    const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte);
    await append(stream, [
      jsonEvent({ type: 'Größe', data: { text: 'ä🙂', empty: '' }, metadata: { by: 'me' } }),
      binaryEvent({ type: 'raw', data: bytes, metadata: bytes }),
    ]);
    const [json, binary] = await collect(server.client.readStream(stream));
    expect(json?.event).toMatchObject({
      streamId: stream,
      type: 'Größe',
      isJson: true,
      data: { text: 'ä🙂', empty: '' },
      metadata: { by: 'me' },
    });
    expect(json?.event?.created.getTime()).toBeGreaterThanOrEqual(before - 1);
    expect(json?.event?.created.getTime()).toBeLessThanOrEqual(Date.now() + 1);
    expect(binary?.event?.isJson).toBe(false);
    expect(bytesOf(binary?.event?.data)).toEqual(bytes);
    expect(bytesOf(binary?.event?.metadata)).toEqual(bytes);
  });

  it('accepts ids in any form and returns them with dashes', async () => {
    const stream = streamName();
    const id = '0123456789abcdef0123456789ABCDEF';
    await append(stream, counted(0, id));
    const [stored] = await collect(server.client.readStream(stream));
    expect(stored?.event?.id).toBe('01234567-89ab-cdef-0123-456789abcdef');
  });

  // EventStoreDB answers such a BatchAppend again when it times out, which breaks the vendor's client.
  describeEmbedded('with an invalid UUID', () => {
    it('is rejected without affecting the next append', async () => {
      const stream = streamName();
      await expect(append(stream, counted(0, 'not-an-id'))).rejects.toBeInstanceOf(UnknownError);
      await expect(append(stream, counted(0))).resolves.toMatchObject({ success: true });
    });
  });

  it('rejects appends above the size limit, and accepts large events below it', async () => {
    const stream = streamName();
    const large = (size: number) => binaryEvent({ type: 'large', data: Buffer.alloc(size, 7) });
    const refused = append(stream, [large(600_000), large(600_000)]);
    await expect(refused).rejects.toBeInstanceOf(MaxAppendSizeExceededError);
    await expect(refused).rejects.toMatchObject({ maxAppendSize: 1_048_576 });

    await append(stream, [large(500_000), large(500_000)], { expectedRevision: NO_STREAM });
    const events = await collect(server.client.readStream(stream));
    expect(events.map(({ event }) => bytesOf(event?.data).length)).toEqual([500_000, 500_000]);
  });
});

it('rejects an append in many fragments with a single answer', async () => {
  const stream = server.streamName();
  const huge = Array.from({ length: 8 }, () => binaryEvent({ type: 'huge', data: Buffer.alloc(2_000_000) }));
  await expect(server.client.appendToStream(stream, huge)).rejects.toBeInstanceOf(MaxAppendSizeExceededError);
  await expect(server.client.appendToStream(stream, counted(0))).resolves.toMatchObject({ success: true });
});

it('joins the fragments of an append', async () => {
  const stream = server.streamName();
  await server.client.appendToStream(stream, countedUp(500), { batchAppendSize: 4_096 });
  expect((await collect(server.client.readStream(stream))).map(numberOf)).toHaveLength(500);
});

it('writes nothing after the deadline of an append', async () => {
  const stream = server.streamName();
  const late = server.client.appendToStream(stream, counted(0), { deadline: 0 });
  await expect(late).rejects.toBeInstanceOf(DeadlineExceededError);
  await expect(
    server.client.appendToStream(stream, counted(0), { expectedRevision: NO_STREAM }),
  ).resolves.toMatchObject({ nextExpectedRevision: 0n });
});
