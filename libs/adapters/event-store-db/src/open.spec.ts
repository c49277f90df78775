import { createServer, type Server, type Socket } from 'node:net';
import { EventStoreDBClient, jsonEvent, START, UnavailableError } from '@eventstore/db-client';
import { limitConnecting } from './open.js';
import { Appends } from './wire/appends.js';

const CALLS_MAX = 20;

/** Guarantee: a server that accepts connections and answers nothing keeps no call, and the next call connects anew. */
describe('a client of a server that hangs', () => {
  const connections: Socket[] = [];
  let server: Server;
  let client: EventStoreDBClient;
  beforeEach(async () => {
    connections.length = 0;
    server = createServer((socket) => connections.push(socket));
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const address = server.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    client = EventStoreDBClient.connectionString(`esdb://127.0.0.1:${port}?tls=false`);
    limitConnecting(client, 100);
  });
  afterEach(async () => {
    await client.dispose();
    for (const connection of connections) connection.destroy();
    server.close();
  });

  const read = async (): Promise<void> => {
    for await (const _ of client.readAll({ fromPosition: START, maxCount: 1 }));
  };
  const subscribe = async (): Promise<void> => {
    for await (const _ of client.subscribeToAll());
  };
  const append = (): Promise<unknown> => {
    const bytes = Buffer.from('{}');
    const event = { ...jsonEvent({ type: 'Some', data: {} }), data: bytes, metadata: bytes };
    return new Appends(client).append('some-stream', [event], 'any', 60_000);
  };

  it.each([
    ['read', read],
    ['subscription', subscribe],
    ['append', append],
  ])('ends a %s, and connects anew for the next one', async (_, call) => {
    // On a busy machine the limit of a call may pass before its connection arrives.
    for (let calls = 0; calls < 2 || (calls < CALLS_MAX && connections.length < 2); calls += 1)
      await expect(call()).rejects.toBeInstanceOf(UnavailableError);
    expect(connections.length).toBeGreaterThan(1);
  });
});
