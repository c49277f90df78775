import { join } from 'node:path';
import { type OpenEventStore, openEventStore } from '@app/adapters/event-store-db';
import { spawnEventStore } from '@app/embedded-event-store';
import { AppError, IsoTime } from '@app/kernel';
import type { BlobStore, Clock } from '@app/ports';
import { MemoryContentKeys } from '@app/testing';

export type RunningStore = OpenEventStore & { readonly url: string };

/** Runs `work` with an embedded event store in a child process, and the adapter connected to it. */
export const withEventStore = async <Result>(
  folder: string,
  work: (store: RunningStore) => Promise<Result>,
): Promise<Result> => {
  const server = await spawnEventStore({ dataDir: join(folder, 'eventstore') });
  const store = openEventStore(server.url, { blobs: noBlobs, keys: new MemoryContentKeys() }, clock);
  try {
    return await work({ ...store, url: server.url });
  } finally {
    await store.close();
    await server.stop();
  }
};

export const clock: Clock = { now: () => IsoTime(new Date()) };

/** No benchmark has large contents: using the blob store would measure something else. */
const refuse = async (): Promise<never> => {
  throw new AppError('internal', 'an event of a benchmark is too large');
};
export const noBlobs: BlobStore = { put: refuse, get: refuse };
