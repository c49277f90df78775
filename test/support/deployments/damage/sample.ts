import { createHash, randomBytes } from 'node:crypto';
import { cpSync, rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawnEventStore } from '@app/embedded-event-store';
import {
  binaryEvent,
  EventStoreDBClient,
  type JSONEventData,
  jsonEvent,
  persistentSubscriptionToStreamSettingsFromDefaults,
} from '@eventstore/db-client';

/** Large events, so that the journal changes its file and its content moves to the database. */
const LARGE_BYTES = 600_000;
const LARGE_COUNT = { early: 15, late: 2, foreign: 2 } as const;
const STREAMS = 12;

export type Sample = {
  readonly folder: string;
  /** The same folder at an earlier time. */
  readonly older: string;
  /** A folder of another log. */
  readonly foreign: string;
  readonly content: string;
};

/** A log that was stopped in good order, or killed. */
export const makeSample = async (end: 'stopped' | 'killed'): Promise<Sample> => {
  const [folder, older, foreign] = await Promise.all([
    temporaryFolder(),
    temporaryFolder(),
    temporaryFolder(),
  ]);
  await fill(folder, 'early', 'killed');
  cpSync(folder, older, { recursive: true });
  await fill(folder, 'late', end);
  await fill(foreign, 'foreign', 'killed');
  const content = await onCopyOf(folder, (copy) => contentOf(copy));
  return { folder, older, foreign, content };
};

export const removeSample = ({ folder, older, foreign }: Sample): void => {
  for (const path of [folder, older, foreign]) rmSync(path, { recursive: true });
};

const fill = async (
  dataDir: string,
  name: 'early' | 'late' | 'foreign',
  end: 'stopped' | 'killed',
): Promise<void> => {
  const server = await spawnEventStore({ dataDir });
  const client = EventStoreDBClient.connectionString(server.url);
  for (let n = 0; n < STREAMS; n += 1) await client.appendToStream(`order-${n}`, numbered(5));
  const settings = persistentSubscriptionToStreamSettingsFromDefaults();
  await client.createPersistentSubscriptionToStream('order-0', `group-${name}`, settings);
  for (let n = 0; n < LARGE_COUNT[name]; n += 1)
    await client.appendToStream('large', binaryEvent({ type: 'Large', data: randomBytes(LARGE_BYTES) }));
  for (let n = 0; n < STREAMS; n += 1) await client.appendToStream(`${name}-${n}`, numbered(3));
  await client.dispose();
  if (end === 'stopped') return server.stop();
  process.kill(server.pid, 'SIGKILL');
  await server.exited;
};

/** Works on a copy, which is removed afterwards. */
export const onCopyOf = async <Result>(
  folder: string,
  work: (copy: string) => Promise<Result>,
): Promise<Result> => {
  const copy = await temporaryFolder();
  try {
    cpSync(folder, copy, { recursive: true });
    return await work(copy);
  } finally {
    rmSync(copy, { recursive: true });
  }
};

/** All that clients can read: a line for each event and each persistent subscription. */
export const contentOf = async (dataDir: string, acceptLoss = false): Promise<string> => {
  const server = await spawnEventStore({ dataDir, acceptLoss });
  const client = EventStoreDBClient.connectionString(server.url);
  try {
    return await linesOf(client);
  } finally {
    await client.dispose();
    await server.stop();
  }
};

const linesOf = async (client: EventStoreDBClient): Promise<string> => {
  const all = (await collect(client.readAll())).flatMap(({ event }) => (event ? [event] : []));
  const ofUsers = all.filter(({ streamId }) => !streamId.startsWith('$'));
  const lines = ofUsers.map(({ id, streamId, revision, position, data }) => {
    const digest = createHash('sha256').update(data instanceof Uint8Array ? data : JSON.stringify(data));
    return `${position?.commit} ${streamId} ${revision} ${id} ${digest.digest('hex')}`;
  });
  for (const stream of [...new Set(ofUsers.map(({ streamId }) => streamId))].sort()) {
    const events = await collect(client.readStream(stream));
    lines.push(`${stream}: ${events.map(({ event }) => event?.id).join(' ')}`);
  }
  const groups = await client.listAllPersistentSubscriptions().catch(() => []);
  return [...lines, ...groups.map(({ groupName }) => groupName).sort()].join('\n');
};

const numbered = (count: number): JSONEventData[] =>
  Array.from({ length: count }, (_, n) => jsonEvent({ type: 'Counted', data: { n } }));

const collect = async <Item>(items: AsyncIterable<Item>): Promise<Item[]> => {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
};

const temporaryFolder = (): Promise<string> => mkdtemp(join(tmpdir(), 'event-store-'));
