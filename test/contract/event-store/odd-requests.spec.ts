import { binaryEvent, jsonEvent } from '@eventstore/db-client';
import type streamsPb from '@eventstore/db-client/generated/streams_pb.js';
import { status } from '@grpc/grpc-js';
import { describeEmbedded, useContractServer } from './support/contract-server.js';
import { collect, counted, countedUp } from './support/events.js';
import { appendOptions, failureOf, rawStreams, unfinishedAppend } from './support/raw-streams.js';

const server = useContractServer();
// A call with credentials uses the classic Append; one without uses BatchAppend.
const ways = [
  ['BatchAppend', {}],
  ['Append', { credentials: { username: 'admin', password: 'changeit' } }],
] as const;

describe('unusual link', () => {
  it.each([
    ['a revision without a stream', '0@'],
    ['a missing stream', `0@none-${Date.now()}`],
    ['a stream with the longest name', `0@${'x'.repeat(1_978)}`],
    ['a stream with an impossible name', `0@${'x'.repeat(5_000)}`],
    ['a stream without a name', '0@$$'],
    ['an impossible revision', '9223372036854775807@none'],
  ])('to %s is delivered unresolved without ending the read', async (_, target) => {
    const stream = server.streamName();
    await server.client.appendToStream(stream, [
      binaryEvent({ type: '$>', data: Buffer.from(target) }),
      counted(1),
    ]);
    const read = await collect(server.client.readStream(stream, { resolveLinkTos: true }));
    expect(read.map(({ event, link }) => [event?.type, link?.type])).toEqual([
      [undefined, '$>'],
      ['Counted', undefined],
    ]);
  });

  it.each([
    ['nothing', ''],
    ['text', 'elsewhere'],
    ['a number beyond 64 bits', '9223372036854775808@none'],
  ])('to %s is delivered as an ordinary event', async (_, target) => {
    const stream = server.streamName();
    await server.client.appendToStream(stream, binaryEvent({ type: '$>', data: Buffer.from(target) }));
    const [read] = await collect(server.client.readStream(stream, { resolveLinkTos: true }));
    expect([read?.event?.revision, read?.link]).toEqual([0n, undefined]);
  });
});

describe.each(ways)('%s', (_, way) => {
  it.each([
    ['$$', 'the metadata of nothing'],
    ['', 'nothing'],
  ])('rejects the stream name %j: it is %s', async (name) => {
    await expect(server.client.appendToStream(name, counted(0), way)).rejects.toThrow();
    await expect(server.client.appendToStream(name, counted(0), way)).rejects.not.toThrow(/LMDB|INTERNAL/);
  });

  // EventStoreDB has no limit of its own.
  describeEmbedded('stream name of more than 1,500 bytes', () => {
    it('is rejected with the limit', () =>
      expect(server.client.appendToStream('ä'.repeat(751), counted(0), way)).rejects.toThrow(
        /at most 1500 bytes/,
      ));
  });

  // EventStoreDB treats $all as a stream name, which other calls cannot read.
  describeEmbedded('stream $all', () => {
    it('rejects appends', () =>
      expect(server.client.appendToStream('$all', counted(0), way)).rejects.toThrow(/\$all/));
  });

  it.each([['🎉 ä/\\?&#%\u0000\n'], ['$'], ['$$$$x'], ['x'.repeat(1_500)]])(
    'accepts the stream name %j',
    async (name) => {
      const stream = `${server.streamName().slice(-30)}${name}`.slice(-1_500);
      await server.client.appendToStream(stream, counted(0), way);
      const [first] = await collect(server.client.readStream(stream));
      expect(first?.event?.streamId).toBe(stream);
    },
  );

  it('accepts events without data, and metadata that is not JSON', async () => {
    const stream = server.streamName();
    await server.client.appendToStream(
      stream,
      [
        binaryEvent({ type: 'bare', data: Buffer.alloc(0) }),
        jsonEvent({ type: 'odd', data: {}, metadata: Buffer.from('{no json') }),
      ],
      way,
    );
    const [bare, odd] = await collect(server.client.readStream(stream));
    expect(bare?.event?.data).toHaveLength(0);
    expect(bare?.event?.metadata).toBeUndefined();
    expect(odd?.event?.metadata).toEqual(Uint8Array.from(Buffer.from('{no json')));
  });

  it('accepts 10,000 events at once', async () => {
    const stream = server.streamName();
    const { nextExpectedRevision } = await server.client.appendToStream(stream, countedUp(10_000), way);
    expect(nextExpectedRevision).toBe(9_999n);
  });

  it.each([
    ['any', true],
    ['no_stream', true],
    ['stream_exists', false],
    [0n, false],
  ] as const)(
    'an append without events that expects %s of a missing stream succeeds: %s',
    async (expected, succeeds) => {
      const stream = server.streamName();
      const appended = server.client.appendToStream(stream, [], { ...way, expectedRevision: expected });
      await (succeeds ? expect(appended).resolves.toBeDefined() : expect(appended).rejects.toThrow());
      await expect(collect(server.client.readStream(stream))).rejects.toThrow();
    },
  );
});

it('writes nothing of an unfinished append', async () => {
  const stream = server.streamName();
  const client = rawStreams(server.url);
  const outcome = new Promise<unknown>((resolve) => {
    const call = client.append((fault) => resolve(fault));
    call.write(appendOptions(stream), () => call.cancel());
  });
  expect(await outcome).toMatchObject({ code: status.CANCELLED });
  await expect(collect(server.client.readStream(stream))).rejects.toThrow();
  client.close();
});

// EventStoreDB keeps such a call open.
describeEmbedded('BatchAppend that the client half-closes without a request', () => {
  it('ends', async () => {
    const client = rawStreams(server.url);
    const call = client.batchAppend();
    const failure = failureOf(call);
    const ended = new Promise((resolve) => call.on('end', () => resolve('ended')));
    call.end();
    expect(await Promise.race([ended, failure])).toBe('ended');
    client.close();
  });
});

describeEmbedded('unfinished appends', () => {
  it('are rejected above the limit of a call', async () => {
    const client = rawStreams(server.url);
    const call = client.batchAppend();
    const refused = new Promise<number | undefined>((resolve) => {
      call.on('data', (reply: streamsPb.BatchAppendResp) => resolve(reply.getError()?.getCode()));
    });
    for (let n = 0; n < 80; n += 1) call.write(unfinishedAppend(server.streamName(), 1_000_000));
    expect(await refused).toBe(status.RESOURCE_EXHAUSTED);
    call.on('error', () => undefined);
    call.cancel();
    client.close();
  });
});
