// Sends SIGKILL to the server under 64 writers and 8 readers. PALIMPSEST_KILL_ROUNDS is the number of kills; a
// hundred take minutes.
import { rm } from 'node:fs/promises';
import { spawnEventStore } from '@app/embedded-event-store';
import type { EventStoreDBClient } from '@eventstore/db-client';
import { connect, describeEmbedded, temporaryFolder } from '../support/contract-server.js';
import { collect } from '../support/events.js';
import { Inbox } from '../support/waiting.js';
import { allIds, createGroup, followAll, readAllOn, workOn } from './readers.js';
import { Writer } from './writers.js';

const ROUNDS = Number(process.env.PALIMPSEST_KILL_ROUNDS ?? 4);
const WRITERS = 64;
const READERS = 4; // Of each kind.
const ROUND_MAX_MS = 30_000;

describeEmbedded('event store killed repeatedly under many writers and readers', () => {
  it(
    'loses and duplicates nothing acknowledged, keeps the order of $all, and delivers everything to a group',
    async () => {
      const dataDir = await temporaryFolder();
      const writers = Array.from({ length: WRITERS }, () => new Writer());
      const delivered = new Set<string>();
      let before: readonly string[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        const server = await spawnEventStore({ dataDir });
        const client = connect(server.url);
        if (round === 0) await createGroup(client);
        before = await verified(client, writers, before);
        const acknowledged = new Inbox<true>();
        const follow = Array.from({ length: READERS }, () => followAll(client));
        const reading = Array.from({ length: READERS }, () => readAllOn(client));
        const working = workOn(client, (id) => delivered.add(id));
        const writing = writers.map((writer) => writer.writeOn(client, () => acknowledged.push(true)));
        await acknowledged.count(150 + ((round * 97) % 400));
        process.kill(server.pid, 'SIGKILL');
        await Promise.all([server.exited, ...writing, ...follow.map(({ over }) => over), working]);
        const readings = await Promise.all(reading);
        await client.dispose();
        await noneContradicts(dataDir, [...follow.map(({ seen }) => seen), ...readings]);
      }
      await everythingDelivered(dataDir, writers, delivered);
      await rm(dataDir, { recursive: true });
    },
    ROUNDS * ROUND_MAX_MS,
  );
});

/** Returns the ids of all events in log order, after every writer has learnt the outcome of its last append. */
const verified = async (
  client: EventStoreDBClient,
  writers: readonly Writer[],
  before: readonly string[],
): Promise<readonly string[]> => {
  await Promise.all(writers.map((writer) => writer.settle(client)));
  for (const { stream, acknowledged } of writers) {
    if (acknowledged.length === 0) continue;
    const events = await collect(client.readStream(stream));
    expect(events.map(({ event }) => event?.id)).toEqual(acknowledged);
    expect(events.map(({ event }) => event?.revision)).toEqual(acknowledged.map((_, at) => BigInt(at)));
  }
  const all = await allIds(client);
  expect(new Set(all).size).toBe(all.length);
  expect(new Set(all)).toEqual(new Set(writers.flatMap(({ acknowledged }) => acknowledged)));
  expect(all.slice(0, before.length)).toEqual(before);
  return all;
};

/** Expects the log after a kill to begin with the events that readers saw before. */
const noneContradicts = async (dataDir: string, seen: readonly (readonly string[])[]): Promise<void> => {
  const server = await spawnEventStore({ dataDir });
  const client = connect(server.url);
  const all = await allIds(client);
  for (const ids of seen) expect(all.slice(0, ids.length)).toEqual(ids);
  await client.dispose();
  await server.stop();
};

const everythingDelivered = async (
  dataDir: string,
  writers: readonly Writer[],
  delivered: ReadonlySet<string>,
): Promise<void> => {
  const server = await spawnEventStore({ dataDir });
  const client = connect(server.url);
  const all = await verified(client, writers, []);
  const missing = new Inbox<string>();
  const rest = new Set(all.filter((id) => !delivered.has(id)));
  const working = workOn(client, (id) => {
    if (rest.delete(id)) missing.push(id);
  });
  await missing.until(() => rest.size === 0);
  await server.stop();
  await working;
  await client.dispose();
};
