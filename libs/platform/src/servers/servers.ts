import { setTimeout as pause } from 'node:timers/promises';
import { type FolderLock, lockFolder, spawnEventStore } from '@app/embedded-event-store';
import { spawnPostgres } from '@app/embedded-postgres';
import { AppError } from '@app/kernel';
import type { AppConfig } from '../config.js';
import { announceServers, withdrawServers } from './addresses.js';
import { openDataFolder } from './data-folder.js';

export type Servers = {
  readonly eventStoreUrl: string;
  /** Contains the password. */
  readonly postgresUrl: string;
  /** The data folder if PostgreSQL is embedded: the key of its secrets lies there, too. */
  readonly ownFolder: string | undefined;
  /** Rejects when an embedded server ends unexpectedly; never resolves. */
  readonly failure: Promise<never>;
  stop(): Promise<void>;
};

/** Milliseconds within which the servers of a killed owner release its folder. */
const HANDOVER_MS = 20_000;
const ASK_AGAIN_MS = 200;

/**
 * Starts the servers that are not configured, concurrently.
 *
 * @throws {AppError} `data-folder-in-use`, `data-folder-newer`, `data-folder-unusable`, `port-in-use`, `disk-full`,
 *   `postgres-unavailable`.
 */
export const startServers = async (config: AppConfig): Promise<Servers> => {
  const { PALIMPSEST_EVENTSTORE_URL: eventStoreUrl, PALIMPSEST_POSTGRES_URL: postgresUrl } = config;
  const folder = eventStoreUrl && postgresUrl ? undefined : await openDataFolder(config.PALIMPSEST_DATA);
  // The lock of the folder decides whether to wait for ending servers or to fail at once.
  const watch = new Watch(folder && lockFolder(folder.path));
  const starting = [
    eventStoreUrl || !folder
      ? foreign(eventStoreUrl)
      : handedOver(() =>
          spawnEventStore({ dataDir: folder.eventStore, port: config.PALIMPSEST_EVENTSTORE_PORT }),
        ).then((server) => watch.over('event store', server)),
    postgresUrl || !folder
      ? foreign(postgresUrl)
      : handedOver(() =>
          spawnPostgres({ dataDir: folder.postgres, port: config.PALIMPSEST_POSTGRES_PORT }),
        ).then((server) => watch.over('PostgreSQL server', server)),
  ];
  const settled = await Promise.allSettled(starting);
  const refused = settled.find((one) => one.status === 'rejected');
  if (refused) {
    await watch.stop();
    throw refused.reason;
  }
  const [log, database] = await Promise.all(starting);
  const addresses = { eventStoreUrl: log?.url ?? '', postgresUrl: database?.url ?? '' };
  if (folder) await announceServers(folder.path, addresses);
  return {
    ...addresses,
    ownFolder: postgresUrl ? undefined : folder?.path,
    failure: watch.failure,
    stop: async () => {
      if (folder) await withdrawServers(folder.path);
      await watch.stop();
    },
  };
};

type Server = { readonly url: string; stop(): Promise<void>; readonly exited: Promise<unknown> };

const foreign = async (url: string | undefined): Promise<{ readonly url: string }> => ({ url: url ?? '' });

/** Waits for servers whose owner has been killed: they finish accepted work and exit. */
const handedOver = async <Started>(start: () => Promise<Started>): Promise<Started> => {
  const until = performance.now() + HANDOVER_MS;
  for (;;) {
    try {
      return await start();
    } catch (error) {
      const isInUse = error instanceof AppError && error.code === 'data-folder-in-use';
      if (!isInUse || performance.now() > until) throw error;
      await pause(ASK_AGAIN_MS);
    }
  }
};

/** Tracks running servers, so that all are stopped and unexpected exits are reported. */
class Watch {
  private readonly servers: Server[] = [];
  private stopping = false;
  private fail: (error: AppError) => void = () => {};
  readonly failure = new Promise<never>((_, reject) => {
    this.fail = reject;
  });

  constructor(private readonly lock: FolderLock | undefined) {
    this.failure.catch(() => {}); // Listeners are optional.
  }

  over(name: string, server: Server): Server {
    this.servers.push(server);
    void server.exited.then(() => {
      const code = name === 'event store' ? 'event-store-unavailable' : 'postgres-unavailable';
      if (!this.stopping)
        this.fail(new AppError(code, `the embedded ${name} has ended unexpectedly: run the command again`));
    });
    return server;
  }

  async stop(): Promise<void> {
    this.stopping = true;
    await Promise.allSettled(this.servers.map((server) => server.stop()));
    this.lock?.release();
  }
}
