import { spawnEventStore } from '@app/embedded-event-store';
import { spawnPostgres } from '@app/embedded-postgres';

/** A server that the service is told the URL of. */
export type Server = {
  readonly url: string;
  /** Kills it as a crash does, starts it again after `meanwhile`, and resolves when it answers at the same place. */
  kill(meanwhile?: () => Promise<void>): Promise<void>;
  stop(): Promise<void>;
};
type Spawned = {
  readonly url: string;
  readonly pid: number;
  readonly exited: Promise<unknown>;
  stop(): Promise<void>;
};

/** An event store as a process of its own, reached over TCP. */
export const startEventStoreServer = (dataDir: string): Promise<Server> =>
  startServer((port) => spawnEventStore({ dataDir, port }));

/** A PostgreSQL as a process of its own, reached over TCP. */
export const startPostgresServer = (dataDir: string): Promise<Server> =>
  startServer((port) => spawnPostgres({ dataDir, port }));

const startServer = async (spawn: (port: number) => Promise<Spawned>): Promise<Server> => {
  let running = await spawn(0);
  const { url } = running;
  const port = Number(new URL(url).port);
  return {
    url,
    kill: async (meanwhile = async () => {}) => {
      process.kill(running.pid, 'SIGKILL');
      await running.exited;
      try {
        await meanwhile();
      } finally {
        running = await spawn(port);
      }
    },
    stop: () => running.stop(),
  };
};
