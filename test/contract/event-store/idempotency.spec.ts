import { randomUUID } from 'node:crypto';
import { ANY, NO_STREAM, STREAM_EXISTS, WrongExpectedVersionError } from '@eventstore/db-client';
import { useContractServer } from './support/contract-server.js';
import { collect, counted } from './support/events.js';

const server = useContractServer();
const three = () => [counted(0, randomUUID()), counted(1, randomUUID()), counted(2, randomUUID())] as const;

describe('repeated append', () => {
  it.each([ANY, NO_STREAM] as const)('returns the original result with %s', async (expectedRevision) => {
    const stream = server.streamName();
    const events = [...three()];
    const first = await server.client.appendToStream(stream, events, { expectedRevision });
    const again = await server.client.appendToStream(stream, events, { expectedRevision });

    expect(again).toEqual(first);
    expect(await collect(server.client.readStream(stream))).toHaveLength(3);
  });

  it('returns the original result with stream exists and with an exact revision', async () => {
    const stream = server.streamName();
    const [a, b, c] = three();
    await server.client.appendToStream(stream, a);
    const exact = await server.client.appendToStream(stream, [b, c], { expectedRevision: 0n });
    const exactAgain = await server.client.appendToStream(stream, [b, c], { expectedRevision: 0n });
    const exists = await server.client.appendToStream(stream, c, { expectedRevision: STREAM_EXISTS });

    expect(exactAgain).toEqual(exact);
    expect(exists.nextExpectedRevision).toBe(2n);
    expect(await collect(server.client.readStream(stream))).toHaveLength(3);
  });

  it('returns the original result after other appends', async () => {
    const stream = server.streamName();
    const [a, b, c] = three();
    await server.client.appendToStream(stream, [a, b], { expectedRevision: NO_STREAM });
    await server.client.appendToStream(stream, c, { expectedRevision: 1n });
    const again = await server.client.appendToStream(stream, [a, b], { expectedRevision: NO_STREAM });
    expect(again.nextExpectedRevision).toBe(1n);
  });
});

describe('similar but different append', () => {
  const conflict = (promise: Promise<unknown>) =>
    expect(promise).rejects.toBeInstanceOf(WrongExpectedVersionError);

  it('conflicts if the first event differs', async () => {
    const stream = server.streamName();
    const [a, b, c] = three();
    await server.client.appendToStream(stream, [a, b]);
    await conflict(server.client.appendToStream(stream, [c, b], { expectedRevision: NO_STREAM }));
  });

  it('conflicts if a later event differs', async () => {
    const stream = server.streamName();
    const [a, b, c] = three();
    await server.client.appendToStream(stream, [a, b]);
    await conflict(server.client.appendToStream(stream, [a, c], { expectedRevision: NO_STREAM }));
    await conflict(server.client.appendToStream(stream, [a, c], { expectedRevision: ANY }));
  });

  it('conflicts if it has more events than were stored', async () => {
    const stream = server.streamName();
    const [a, b, c] = three();
    await server.client.appendToStream(stream, [a, b]);
    await conflict(server.client.appendToStream(stream, [a, b, c], { expectedRevision: NO_STREAM }));
  });

  it('is written if the first id is new and a later one is not', async () => {
    const stream = server.streamName();
    const [a, b] = three();
    await server.client.appendToStream(stream, b);
    await server.client.appendToStream(stream, [a, b], { expectedRevision: ANY });
    expect(await collect(server.client.readStream(stream))).toHaveLength(3);
  });

  it('is written again with the exact revision of the head', async () => {
    const stream = server.streamName();
    const [a] = three();
    await server.client.appendToStream(stream, a, { expectedRevision: NO_STREAM });
    const again = await server.client.appendToStream(stream, a, { expectedRevision: 0n });
    expect(again.nextExpectedRevision).toBe(1n);
  });

  it('is written to another stream', async () => {
    const [a] = three();
    await server.client.appendToStream(server.streamName(), a);
    const other = await server.client.appendToStream(server.streamName(), a, { expectedRevision: ANY });
    expect(other.nextExpectedRevision).toBe(0n);
  });
});
