import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawnEventStore } from '@app/embedded-event-store';
import { EventStoreDBClient } from '@eventstore/db-client';

/** A real EventStoreDB to run the contract against, instead of the embedded one. */
const FOREIGN_URL = process.env.PALIMPSEST_CONTRACT_EVENTSTORE_URL;

/** Whether the server is the caller's EventStoreDB. */
export const isForeign = FOREIGN_URL !== undefined;

/** For tests that must start the server themselves. */
export const describeEmbedded = FOREIGN_URL ? describe.skip : describe;

export type ContractServer = {
  readonly client: EventStoreDBClient;
  readonly url: string;
  /** Returns an unused stream name; `kind` is its category. */
  readonly streamName: (kind?: string) => string;
};

/** One server and client for all tests of a suite: the client's table of pending appends is global. */
export const useContractServer = (): ContractServer => {
  let running: { client: EventStoreDBClient; url: string; close: () => Promise<void> } | undefined;
  const current = () => {
    if (!running) throw new Error('the server is there only while tests run');
    return running;
  };
  beforeAll(async () => {
    running = await open();
  });
  afterAll(async () => {
    await running?.client.dispose();
    await running?.close();
  });
  return {
    get client() {
      return current().client;
    },
    get url() {
      return current().url;
    },
    streamName: (kind = 'contract') => `${kind}-${randomUUID()}`,
  };
};

const open = async () => {
  if (FOREIGN_URL) return { client: connect(FOREIGN_URL), url: FOREIGN_URL, close: async () => undefined };
  const folder = await temporaryFolder();
  const server = await spawnEventStore({ dataDir: folder });
  const close = async (): Promise<void> => {
    await server.stop();
    await rm(folder, { recursive: true });
  };
  return { client: connect(server.url), url: server.url, close };
};

/** Milliseconds for an operation beside other work; the client's own limit of ten seconds is one for quiet machines. */
const DEADLINE_MS = 60_000;
export const connect = (url: string): EventStoreDBClient =>
  EventStoreDBClient.connectionString(`${url}${url.includes('?') ? '&' : '?'}defaultDeadline=${DEADLINE_MS}`);
export const temporaryFolder = (): Promise<string> => mkdtemp(join(tmpdir(), 'event-store-'));
