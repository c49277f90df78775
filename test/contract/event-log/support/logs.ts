import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEventStore } from '@app/adapters/event-store-db';
import { lastingPort } from '@app/deployments';
import type { SessionEvent } from '@app/domain';
import { spawnEventStore } from '@app/embedded-event-store';
import {
  Actor,
  IsoTime,
  type Revision,
  SessionId,
  type StreamName,
  sessionStream,
  TenantId,
} from '@app/kernel';
import type { EventContext, EventLog, NewEvent, Subscriptions, TenantLog } from '@app/ports';
import { MemoryBlobStore, MemoryContentKeys, openMemoryLog } from '@app/testing';

export type OpenLog = {
  readonly log: EventLog;
  readonly tenantLog: TenantLog;
  readonly subscriptions: Subscriptions;
  readonly blobs: MemoryBlobStore;
  /** Resolves despite abandoned reads and subscriptions. */
  close(): Promise<void>;
};

/** A real EventStoreDB to run the contract against, instead of the embedded server. */
const FOREIGN_URL = process.env.PALIMPSEST_CONTRACT_EVENTSTORE_URL;

/** For tests that restart the server. */
export const describeEmbedded = FOREIGN_URL ? describe.skip : describe;

/** Every implementation of the ports: the gRPC adapter, and the in-memory log of other tests. */
export const LOGS: readonly (readonly [name: string, open: () => Promise<OpenLog>])[] = [
  ['the event store', () => openRealLog()],
  ['the log in memory', async () => openInMemory()],
];

const clock = { now: () => IsoTime(new Date()) };

const openInMemory = (): OpenLog => ({
  ...openMemoryLog(),
  blobs: new MemoryBlobStore(),
  close: async () => {},
});

export type RealLog = OpenLog & { readonly url: string; restart(): Promise<void> };

/**
 * Opens a log on its own server, or on the given EventStoreDB. Only one such log at a time per process: its client's table of
 * pending appends is global.
 */
export const openRealLog = async (): Promise<RealLog> => {
  const server = FOREIGN_URL ? foreign(FOREIGN_URL) : await own();
  const blobs = new MemoryBlobStore();
  const keys = new MemoryContentKeys();
  const { log, tenantLog, subscriptions, close } = openEventStore(server.url, { blobs, keys }, clock);
  return {
    ...{ log, tenantLog, subscriptions, blobs, url: server.url, restart: server.restart },
    close: async () => {
      await close();
      await server.stop();
    },
  };
};

type LogServer = { readonly url: string; restart(): Promise<void>; stop(): Promise<void> };

const foreign = (url: string): LogServer => ({
  url,
  restart: () => Promise.reject(new Error('the server belongs to the caller')),
  stop: async () => {},
});

const own = async (): Promise<LogServer> => {
  const folder = await mkdtemp(join(tmpdir(), 'event-log-'));
  const port = await lastingPort();
  let server = await spawnEventStore({ dataDir: folder, port });
  const { url } = server;
  return {
    url,
    restart: async () => {
      await server.stop();
      server = await spawnEventStore({ dataDir: folder, port });
    },
    stop: async () => {
      await server.stop();
      await rm(folder, { recursive: true });
    },
  };
};

/** A log that is open during the tests of a suite. */
export const useLog = <Log extends OpenLog>(open: () => Promise<Log>): (() => Log) => {
  let current: Log | undefined;
  beforeAll(async () => {
    current = await open();
  });
  afterAll(() => current?.close());
  return () => {
    if (!current) throw new Error('the log is open only while tests run');
    return current;
  };
};

/** Returns an unused stream name. */
export const newStream = (): StreamName => sessionStream(TenantId('acme'), SessionId(randomUUID()));
export const context: EventContext = { actor: Actor('tester'), correlationId: 'some-turn' };
export const asNew = (event: SessionEvent): NewEvent => ({ id: randomUUID(), event });

/** Appends each event with a separate call, or all with one. */
export const record = (
  { log }: OpenLog,
  stream: StreamName,
  events: readonly SessionEvent[],
  after?: Revision,
): Promise<Revision> => log.append(stream, after ?? 'no-stream', events.map(asNew), context);
