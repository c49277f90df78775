import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Server } from '@grpc/grpc-js';
import { EventLog } from '../log/event-log.js';
import { writeFirstEvent } from '../log/first-event.js';
import { Groups } from '../persistent/groups.js';
import { openFolder } from '../storage/open-folder.js';
import type { Store } from '../store.js';
import { OpenCalls } from '../wire/open-calls.js';
import { serve } from './grpc-server.js';
import { APPEND_SIZE_MAX, type EventStoreOptions, urlOf } from './options.js';

export type RunningEventStore = {
  readonly port: number;
  /** `esdb://127.0.0.1:PORT?tls=false` */
  readonly url: string;
  /** Finishes the appends it has accepted, ends streams with CANCELLED, closes the data folder. */
  stop(): Promise<void>;
};

/** How long clients get to close their connections at a stop. Milliseconds. */
const FAREWELL_MS = 1_000;

/**
 * Starts an event store in this process, on the loopback interface.
 *
 * @throws {AppError} `port-in-use`, `data-folder-in-use`, `data-folder-newer`, `data-folder-unusable`, `disk-full`.
 */
export const startEventStore = async (options: EventStoreOptions): Promise<RunningEventStore> => {
  const { engine, lock } = await openFolder(options.dataDir);
  const log = new EventLog(engine);
  const groups = new Groups(log, engine);
  const store: Store = {
    log,
    groups,
    calls: new OpenCalls(),
    appendSizeMax: options.appendSizeMax ?? APPEND_SIZE_MAX,
  };
  const closeFolder = async (): Promise<void> => {
    await groups.close();
    await log.close();
    lock.release();
  };
  try {
    await writeFirstEvent(log);
    const { server, port } = await serve(store, options.port ?? 0);
    let stopping: Promise<void> | undefined;
    const stop = (): Promise<void> => {
      stopping ??= stopServer(server, store).then(closeFolder);
      return stopping;
    };
    return { port, url: urlOf(port), stop };
  } catch (fault) {
    await closeFolder();
    throw fault;
  }
};

const stopServer = async (server: Server, { log, calls }: Store): Promise<void> => {
  const closed = new Promise<void>((resolve) => server.tryShutdown(() => resolve()));
  await log.drained();
  await nextTurn(); // The answers to the last appends are on their way out now.
  calls.cancelAll();
  const impatience = setTimeout(() => server.forceShutdown(), FAREWELL_MS);
  await closed;
  clearTimeout(impatience);
};
